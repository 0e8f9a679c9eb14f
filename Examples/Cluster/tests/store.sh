# Starts moto's server, a stand-in for AWS on this machine, in place of the calling script's credentials. To be sourced.
#
#   . tests/store.sh FOLDER       makes the bucket 'test', and FOLDER/moto.log; the server ends with the script
port=$((30000 + $$ % 10000))
moto_server -H 127.0.0.1 -p "$port" > "$1/moto.log" 2>&1 &
server=$!
trap 'kill "$server"' EXIT
unset AWS_CA_BUNDLE AWS_PROFILE AWS_SESSION_TOKEN
export AWS_ENDPOINT_URL=http://127.0.0.1:$port AWS_REGION=eu-central-1 AWS_DEFAULT_REGION=eu-central-1 AWS_PAGER=
export AWS_ACCESS_KEY_ID=none AWS_SECRET_ACCESS_KEY=none AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
for _ in $(seq 100); do
    if aws s3 mb s3://test > /dev/null 2>&1; then break; fi
    sleep 0.2
done
