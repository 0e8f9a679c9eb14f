# Prints what fish offers for a command line, a word on each line.
#
#   fish complete.fish SCRIPT LINE
source $argv[1]
complete -C $argv[2] | string replace -r '\t.*' ''
