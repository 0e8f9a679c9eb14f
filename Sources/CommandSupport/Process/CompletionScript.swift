import ArgumentParser
import Platform

/// What makes a shell complete the program's command line: the parser's own script, and what lets it complete a
/// line on which the default command is left out, as in `tilewright plan.png --form`.
struct CompletionScript {
    /// The option of the parser that prints it.
    private static let option = "--generate-completion-script"

    /// The script.
    let text: String

    /// The script that the command line asks for; nil if it asks for none, for a shell that is not known, or if
    /// there is no default command.
    ///
    /// - Parameters:
    ///   - words: the command line behind the program's name.
    ///   - root: the program's commands.
    init?(_ words: [String], of root: any ParsableCommand.Type) {
        guard let name = root.configuration.defaultSubcommand?.configuration.commandName,
            let program = root.configuration.commandName, let shell = Self.shell(words)
        else { return nil }
        let commands = CommandNames.names(of: root) + ["help"]
        let addition: String? =
            switch shell.rawValue {
            case "bash": Self.bash
            case "zsh": Self.zsh
            case "fish": Self.fish
            default: nil
            }
        guard let addition else { return nil }
        text =
            root.completionScript(for: shell) + "\n"
            + addition.replacing("@PROGRAM@", with: program).replacing("@DEFAULT@", with: name)
            .replacing("@COMMANDS@", with: commands.joined(separator: " "))
            .replacing("@NAMES@", with: commands.joined(separator: "|"))
    }

    /// Refuses a shell for which there is no script.
    ///
    /// - Throws: `.usage`.
    static func check(_ words: [String]) throws(Failure) {
        guard let first = words.first, first.hasPrefix(option), shell(words) == nil else { return }
        let name =
            first == option ? words.dropFirst().first : first.split(separator: "=").last.map(String.init)
        throw Failure(
            .usage,
            "there are no completions for \(name.map { "the shell '\($0.excerpt())'" } ?? "no shell")",
            remedy: "write '\(option) bash', zsh or fish")
    }

    private static func shell(_ words: [String]) -> CompletionShell? {
        guard let first = words.first, first.hasPrefix(option) else { return nil }
        if first == option { return words.dropFirst().first.flatMap(CompletionShell.init) }
        let parts = first.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 && parts[0] == option ? CompletionShell(rawValue: parts[1]) : nil
    }

    /// The first word may be a command or a file; if it is not a command, the default one stands before it.
    private static let bash = """
        # '@DEFAULT@' may be left out.
        _@PROGRAM@_or_@DEFAULT@() {
            case "${COMP_WORDS[1]}" in
            help)
                [[ ${COMP_CWORD} -eq 2 ]] && COMPREPLY=($(compgen -W '@COMMANDS@' -- "${2}")) && return ;;
            @NAMES@)
                [[ ${COMP_CWORD} -gt 1 ]] && { _@PROGRAM@ "${@}"; return; } ;;
            esac
            local -a commands=()
            if [[ ${COMP_CWORD} -eq 1 ]]; then
                _@PROGRAM@ "${@}"
                commands=("${COMPREPLY[@]}")
                COMPREPLY=()
            fi
            local -a COMP_WORDS=("${COMP_WORDS[0]}" @DEFAULT@ "${COMP_WORDS[@]:1}")
            local -i COMP_CWORD=$((COMP_CWORD + 1))
            local prev="${3}"
            [[ ${COMP_CWORD} -eq 2 ]] && prev=@DEFAULT@
            _@PROGRAM@ "${1}" "${2}" "${prev}"
            local word
            for word in "${commands[@]}"; do
                [[ " ${COMPREPLY[*]} " == *" ${word} "* ]] || COMPREPLY+=("${word}")
            done
        }

        complete -o filenames -F _@PROGRAM@_or_@DEFAULT@ @PROGRAM@

        """

    /// As in bash.
    private static let zsh = """
        # '@DEFAULT@' may be left out.
        _@PROGRAM@_or_@DEFAULT@() {
            local -i found=1
            if [[ ${words[2]} == help && CURRENT -eq 3 ]]; then
                compadd -- @COMMANDS@
                return
            fi
            if [[ ${words[2]} == (@NAMES@) && CURRENT -gt 2 ]]; then
                _@PROGRAM@ "${@}"
                return
            fi
            if (( CURRENT == 2 )); then
                _@PROGRAM@ "${@}" && found=0
            fi
            words=("${words[1]}" @DEFAULT@ "${(@)words[2,-1]}")
            (( CURRENT++ ))
            _@PROGRAM@ "${@}" && found=0
            return found
        }

        compdef _@PROGRAM@_or_@DEFAULT@ @PROGRAM@

        """

    /// All of the parser's conditions look at the words that this function prints.
    private static let fish = """
        # '@DEFAULT@' may be left out.
        functions -c __@PROGRAM@_tokens __@PROGRAM@_typed_tokens
        function __@PROGRAM@_tokens
            set -l tokens (__@PROGRAM@_typed_tokens $argv)
            if string match -q -- '-*c*' $argv[1]; and set -q tokens[2]; and not contains -- $tokens[2] @COMMANDS@
                set tokens $tokens[1] @DEFAULT@ $tokens[2..]
            end
            test (count $tokens) -gt 0; and printf '%s\\n' $tokens
        end
        complete -c '@PROGRAM@' -n '__fish_seen_subcommand_from help' -fa '@COMMANDS@'
        complete -c '@PROGRAM@' -n 'test (count (__@PROGRAM@_typed_tokens -pc)) -eq 1' \
            -fa '(complete -C "@PROGRAM@ @DEFAULT@ "(commandline -ct))'

        """
}
