// The completion of bash, 4.0 or later.
extension CompletionScript {
  var bash: String {
    let name = program.name
    let function = "_" + name
    let words = commands.map(\.name)
    return """
      # Completion of \(name) for bash.

      # Sets `value` to the arguments of compgen for what an option of a command takes.
      \(function)_value() {
          case $1:$2 in
      \(([program] + commands).flatMap(values).joined(separator: "\n"))
          *) value='' ;;
          esac
      }

      # Sets `options` to those of a command, and `operand` to the arguments of compgen for its names.
      \(function)_command() {
          case $1 in
      \(commands.map(entry).joined(separator: "\n"))
          *) options='\(optionNames(program))' operand=-f ;;
          esac
      }

      \(function)() {
          local current=$2 command= first= open= word value options operand
          local -i index areOptionsOver=0
          local -a found=()
          COMPREPLY=()
          for ((index = 1; index < COMP_CWORD; index++)); do
              word=${COMP_WORDS[index]}
              # bash parts --mode=csv into three words.
              [[ $word == = ]] && continue
              if [[ -n $open ]]; then
                  open=
              elif [[ $word == -- ]]; then
                  areOptionsOver=1
              elif ((areOptionsOver == 0)) && [[ $word == -?* ]]; then
                  case $word in \(valuedNames.joined(separator: "|"))) open=$word ;; esac
              elif [[ -z $first ]]; then
                  first=$word
                  case $word in \(words.joined(separator: "|"))) command=$word ;; esac
              fi
              # What follows a script is the script's.
              [[ -z $command && -z $open && $word == *.lua ]] && first=$word command=.lua areOptionsOver=1
          done
          if [[ -n $open ]]; then
              \(function)_value "$command" "$open"
              [[ $current == = ]] && current=
          else
              \(function)_command "$command"
              value=$operand
              if ((areOptionsOver == 0)) && [[ $current == -* ]]; then value="-W '$options'"; fi
              if [[ -z $first ]]; then
                  mapfile -t found < <(compgen -W '\(words.joined(separator: " "))' -- "$current")
              fi
          fi
          [[ -n $value ]] && mapfile -t COMPREPLY < <(shopt -s extglob; eval "compgen $value" -- '"$current"')
          if ((${#found[@]} == 0)); then
              compopt -o filenames
              return
          fi
          # A folder that is called as a command is must not turn the command into its name.
          for word in "${COMPREPLY[@]}"; do
              [[ -d $word ]] && word+=/
              printf -v word %q "$word"
              found+=("$word")
          done
          COMPREPLY=("${found[@]}")
          [[ ${#found[@]} == 1 && ${found[0]} == */ ]] && compopt -o nospace
          return 0
      }

      complete -F \(function) \(name)

      """
  }

  private func optionNames(_ command: CommandDefinition) -> String {
    command.options.flatMap(\.names).joined(separator: " ")
  }

  private func values(_ command: CommandDefinition) -> [String] {
    let name = command.name == program.name ? "" : command.name
    return valued(command).compactMap { option in
      let arguments = Self.arguments(option.value)
      guard !arguments.isEmpty else { return nil }
      let places = option.names.map { "\(name):\($0)" }.joined(separator: "|")
      return "    \(places)) value=\(Self.quoted(arguments)) ;;"
    }
  }

  private func entry(_ command: CommandDefinition) -> String {
    // `help` takes the names of the others.
    let operand =
      command.name == "help"
      ? "-W '\(commands.map(\.name).joined(separator: " "))'" : Self.arguments(command.operands.first?.value)
    return "    \(command.name)) options='\(optionNames(command))' operand=\(Self.quoted(operand)) ;;"
  }

  /// The arguments of compgen.
  private static func arguments(_ value: CommandDefinition.Value?) -> String {
    switch value {
    case nil, .any: ""
    case .folders: "-d"
    case .files(let endings):
      endings.isEmpty ? "-f" : "-o plusdirs -f -X '!*.@(\(endings.joined(separator: "|")))'"
    case .words(let words): "-W '\(words.joined(separator: " "))'"
    }
  }

  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
