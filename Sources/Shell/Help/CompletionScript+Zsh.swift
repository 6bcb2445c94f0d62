// The completion of zsh.
extension CompletionScript {
  var zsh: String {
    let name = program.name
    let function = "_" + name
    return """
      #compdef \(name)

      # A command, a store, a script or rows.
      \(function)_first() {
          local -a commands=(
      \(commands.map { "        " + Self.quoted("\($0.name):\($0.summary)") }.joined(separator: "\n"))
          )
          local -i ret=1
          _describe -t commands command commands && ret=0
          _files && ret=0
          return ret
      }

      \(function)() {
          local word command=
          local -i index
          # The first name decides what may follow it.
          for ((index = 2; index < CURRENT; index++)); do
              word=$words[index]
              case $word in
              (--) break ;;
              (\(valuedNames.joined(separator: "|"))) ((index++)) ;;
              (-*) ;;
              (\(commands.map(\.name).joined(separator: "|")))
                  [[ -n $command ]] && continue
                  command=$word
                  words=("${(@)words[1,index-1]}" "${(@)words[index+1,-1]}")
                  ((CURRENT--, index--))
                  ;;
              # What follows a script is the script's.
              (*.lua) [[ -z $command || $command == - ]] && { _files; return } ;;
              (*) [[ -z $command ]] && command=- ;;
              esac
          done
          case $command in
      \(commands.map(entry).joined(separator: "\n"))
          (*)
              _arguments -s -S : \\
      \(program.options.map { "            \(specification($0)) \\" }.joined(separator: "\n"))
                  '1: :\(function)_first' '*: :_files'
              ;;
          esac
      }

      if [[ $funcstack[1] == \(function) ]]; then
          \(function) "$@"
      else
          compdef \(function) \(name)
      fi

      """
  }

  private func entry(_ command: CommandDefinition) -> String {
    var specifications = command.options.map(specification)
    if command.name == "help" {
      let words = commands.map { $0.name }.joined(separator: " ")
      specifications.append(Self.quoted("1:command:(\(words))"))
    }
    for operand in command.operands where command.name != "help" {
      let place = operand.isRepeating ? "*" : "1"
      specifications.append(Self.quoted("\(place):\(operand.valueName):\(Self.action(operand.value))"))
    }
    let lines = specifications.map { "            " + $0 }.joined(separator: " \\\n")
    return "    (\(command.name))\n        _arguments -s -S : \\\n\(lines)\n        ;;"
  }

  /// An option as `_arguments` has it: `'(-q --quiet)'{-q,--quiet}'[No banner.]'`.
  private func specification(_ option: CommandDefinition.Argument) -> String {
    var text = "[\(Self.escaped(option.summary))]"
    if let value = option.value { text += ":\(Self.escaped(option.valueName)):\(Self.action(value))" }
    let names = option.names.map { option.value != nil && $0.hasPrefix("--") ? $0 + "=" : $0 }
    let list = names.count == 1 ? names[0] : "{\(names.joined(separator: ","))}"
    let exclusion = option.isRepeating ? "*" : option.names.count > 1 ? "(\(option.names.joined(separator: " ")))" : ""
    return (exclusion.isEmpty ? "" : Self.quoted(exclusion)) + list + Self.quoted(text)
  }

  private static func action(_ value: CommandDefinition.Value?) -> String {
    switch value {
    case nil, .any: " "
    case .folders: "_files -/"
    case .files(let endings): endings.isEmpty ? "_files" : "_files -g \"*.(\(endings.joined(separator: "|")))\""
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing(":", with: "\\:").replacing("[", with: "\\[").replacing(
      "]", with: "\\]")
  }

  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
