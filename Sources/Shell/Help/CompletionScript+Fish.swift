// The completion of fish.
extension CompletionScript {
  var fish: String {
    let name = program.name
    let place = "__\(name)_place"
    var lines = [
      """
      # Completion of \(name) for fish.

      # Whether the first name is one of some: a command, `store` for another name, `script` behind a script, `first` where it is typed.
      function __\(name)_is
          set -l words (commandline -opc)
          set -l \(place) first
          set -e words[1]
          while set -q words[1]
              switch $words[1]
                  case \(valuedNames.joined(separator: " "))
                      set -e words[1]
                  case '-*'
                  case '*.lua'
                      contains -- $\(place) first store; and set \(place) script
                  case \(commands.map(\.name).joined(separator: " "))
                      test $\(place) = first; and set \(place) $words[1]
                  case '*'
                      test $\(place) = first; and set \(place) store
              end
              set -e words[1]
          end
          contains -- $\(place) $argv
      end

      complete -c \(name) -f
      complete -c \(name) -n '__\(name)_is first store script' -F
      """
    ]
    func add(_ places: String, _ arguments: String) {
      lines.append("complete -c \(name) -n '__\(name)_is \(places)' \(arguments)")
    }
    for command in commands { add("first", "-a \(command.name) -d \(Self.quoted(command.summary))") }
    for option in program.options { add("first store", Self.specification(option)) }
    for command in commands {
      for option in command.options { add(command.name, Self.specification(option)) }
      if command.name == "help" {
        add("help", "-a \(Self.quoted(commands.map(\.name).joined(separator: " ")))")
      } else if let value = command.operands.first?.value {
        add(command.name, Self.source(value))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func specification(_ option: CommandDefinition.Argument) -> String {
    let names = option.names.map { $0.hasPrefix("--") ? "-l \($0.dropFirst(2))" : "-s \($0.dropFirst())" }
    let value = option.value.map { " -r " + source($0) } ?? ""
    return "\(names.joined(separator: " ")) -d \(quoted(option.summary))\(value)"
  }

  private static func source(_ value: CommandDefinition.Value) -> String {
    switch value {
    case .any: "-f"
    case .folders: "-f -a '(__fish_complete_directories (commandline -ct))'"
    case .files(let endings):
      endings.isEmpty
        ? "-F" : "-f -k -a '(__fish_complete_suffix \(endings.map { "." + $0 }.joined(separator: " ")))'"
    case .words(let words): "-f -k -a \(quoted(words.joined(separator: " ")))"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }
}
