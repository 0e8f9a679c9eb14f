# Prints what zsh offers for a command line, a word on each line.
#
#   zsh -f complete.zsh SCRIPT LINE HITS
#
# SCRIPT is what the program prints for zsh; LINE ends where the cursor stands; HITS is a file that may be written.
# An interactive zsh behind a pseudo-terminal completes the line; its `compadd` writes down what it is given.
zmodload zsh/zpty
script=$1 line=$2 hits=$3
setup=$hits.setup
cat > $setup <<SETUP
autoload -U compinit
compinit -u -D
source ${(q)script}
HITS=${(q)hits}
SETUP
cat >> $setup <<'SETUP'
compadd() {
    local -a found
    # With these options, completers ask what would fit, and offer nothing.
    if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
        builtin compadd -A found "$@"
        print -rl -- $found >> $HITS
    fi
    builtin compadd "$@"
}
offer() {
    zle complete-word
    print -r -- '(all)' >> $HITS
}
zle -N offer
bindkey '^I' offer
PROMPT= RPROMPT=
print -r -- '(ready)' >> $HITS
SETUP

wait_for() {
    for try in {1..400}; do
        grep -qxF -- $1 $hits && return
        sleep 0.05
    done
    print -u2 "zsh does not say $1"
    exit 1
}

: > $hits
zpty shell zsh -f -i
zpty -w shell "source ${(q)setup}"
wait_for '(ready)'
zpty -n -w shell "$line"$'\t'
wait_for '(all)'
zpty -d shell
grep -vxF -e '(ready)' -e '(all)' $hits
exit 0
