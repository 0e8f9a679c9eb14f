# Prints what bash offers for a command line, a word on each line.
#
#   bash complete.bash SCRIPT LINE
#
# SCRIPT is what the program prints for bash; LINE ends where the cursor stands.
source "$1"
line=$2
eval "COMP_WORDS=($line)"
[[ $line == *' ' ]] && COMP_WORDS+=('')
COMP_LINE=$line
COMP_POINT=${#line}
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
COMPREPLY=()
# As bash calls it: the function that `complete` was given last.
completer=$(complete -p tilewright | sed -E 's/.* -F ([^ ]+) .*/\1/')
"$completer" tilewright "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
