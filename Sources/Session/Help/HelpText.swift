internal import LuaBindings
internal import Modeling
internal import Presentation

/// The text of help, made from the catalog.
struct HelpText {
  let engine: Engine
  let style: Style
  var width = 80
  /// The names of the open store for the examples; nil for their own names.
  private var vocabulary: ExampleVocabulary? {
    engine.store.flatMap {
      ExampleVocabulary($0.model, globals: Set(engine.catalog.entries.filter { $0.owner.isEmpty }.map(\.name)))
    }
  }

  /// The overview: how to begin, and all names.
  var overview: String {
    let request = #"Quake:where("magnitude > %@", 6):sorted("-magnitude"):limit(5)"#
    let ownRequest = vocabulary.map { $0.translated(request) ?? "\($0.entity):limit(5)" } ?? request
    var text = """
      Lines are Lua; the value of an expression is shown, and stays in _ and _1, _2, ...
        \(ownRequest)
      \(firstSteps)

      """
    let entities = engine.store?.model.entities.map(\.name) ?? []
    if !entities.isEmpty { text += section("Entities", entities) }
    text += section("Functions", engine.catalog.members(of: "").filter { $0.kind == .function }.map(\.name))
    text += section("Kinds", kinds)
    return text
  }

  /// What to type first, in two columns where there is room for them.
  private var firstSteps: String {
    let steps = [
      [("?name", "help on a function, an entity, a property, a kind"), (".help", "the dot commands")],
      [("?CONTAINS", "help on the predicate language; ?predicates all of it"), (".tutorial", "twelve steps to type")],
      [("?keys", "the keys of the prompt"), ("?swift", "Swift, pasted as it is")],
      [("Ctrl-C", "drops the line, stops what runs"), ("Ctrl-D", "leaves")],
    ]
    func cell(_ step: (key: String, meaning: String)) -> String {
      step.key + String(repeating: " ", count: 10 - step.key.count) + step.meaning
    }
    let room = 64
    let rows =
      width > room + 34
      ? steps.map { row in
        row.dropLast().map { step in cell(step).padding(to: room) }.joined() + cell(row[row.count - 1])
      } : steps.flatMap { $0.map(cell) }
    return rows.map { "  " + $0 + "\n" }.joined()
  }

  /// Text with its lines broken between words where they do not fit the window; an example stays one line, which can be copied.
  func fitted(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.contains("> ") && line.drop(while: { $0 == " " }).hasPrefix(">")
        ? String(line) : WordWrap.broken(String(line), in: width)
    }.joined(separator: "\n")
  }

  /// The types with members: a store, a request, a date.
  private var kinds: [String] {
    var kinds: [String] = []
    for entry in engine.catalog.entries where entry.kind == .method || entry.kind == .property {
      if !kinds.contains(entry.owner) { kinds.append(entry.owner) }
    }
    return kinds
  }

  /// A titled list of names, wrapped to the window.
  private func section(_ title: String, _ names: [String]) -> String {
    let indent = 13
    var lines = [""]
    for name in names {
      let last = lines[lines.count - 1]
      if !last.isEmpty, last.count + 2 + name.count > max(width - indent - 1, 20) {
        lines.append(name)
      } else {
        lines[lines.count - 1] = last.isEmpty ? name : last + "  " + name
      }
    }
    let label = title + String(repeating: " ", count: max(indent - 2 - title.count, 1))
    return "  " + style(.name, label) + lines.joined(separator: "\n" + String(repeating: " ", count: indent)) + "\n"
  }

  /// Returns the help entries for a name; nil if there are none.
  func entries(_ name: String) -> String? {
    let found = engine.catalog.entries(named: name)
    return found.isEmpty ? nil : pages(found)
  }

  /// Returns the help entries of all names that begin so; nil if there are none.
  func entries(beginning name: String) -> String? {
    let beginning = engine.catalog.entries.filter { $0.name.hasPrefix(name) }
    return beginning.isEmpty ? nil : pages(beginning)
  }

  /// A few entries with an example each; of many only their lines, and one example. The options of functions come last.
  private func pages(_ entries: [CatalogEntry]) -> String {
    let functions = Set(entries.filter { $0.kind != .option }.map(\.name))
    let options = entries.filter { $0.kind == .option && functions.contains($0.owner) }
    let others = entries.filter { $0.kind != .option || !functions.contains($0.owner) }
    let isLong = others.count > 4
    var text = ""
    var examples: [String] = []
    for (index, entry) in others.enumerated() {
      let remark = entry.kind == .option ? style(.note, " (option of \(entry.owner))") : ""
      text += "  " + style(.name, entry.signature) + remark + "\n"
      if !isLong, let example = entry.example { examples.append(example) }
      // Lines that several kinds share are shown once.
      let next = others.indices.contains(index + 1) ? others[index + 1].summary : nil
      guard next != entry.summary else { continue }
      text += "    " + entry.summary + "\n" + examples.map(sampleExample).joined()
      examples = []
    }
    if isLong, let example = others.lazy.compactMap(\.example).first { text += sampleExample(example) }
    return text + table(options)
  }

  /// Options, each with its summary beside it.
  private func table(_ options: [CatalogEntry]) -> String {
    let widest = 22
    let indent = min(options.map(\.name.count).max() ?? 0, widest) + 8
    let margin = String(repeating: " ", count: indent)
    let lines = options.map { option in
      let summary = DisplayText.wrapped(option.summary, in: max(width - indent - 1, 30), .utf8, atWords: true)
      let gap = option.name.count > widest ? "\n" + margin : String(margin.dropFirst(6 + option.name.count))
      return "      " + style(.name, option.name) + gap + summary.joined(separator: "\n" + margin) + "\n"
    }
    return lines.isEmpty ? "" : "    Options\n" + lines.joined()
  }

  /// The line that a page ends with, written for earthquakes, in the words of the store that is open.
  private func sampleExample(_ line: String) -> String {
    guard let vocabulary else { return example(line) }
    return vocabulary.translated(line).map(example) ?? example(line + style(.note, "   -- in a store of earthquakes"))
  }

  /// The line that a page ends with.
  func example(_ line: String) -> String {
    line.split(separator: "\n").map { "      " + style(.prompt, ">") + " \($0)\n" }.joined()
  }

  /// The properties of that name in the store, with their types; "" for none.
  func properties(_ name: String) -> String {
    var text = ""
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    let (owner, name) = parts.count == 2 ? (parts[0], parts[1]) : (nil, name)
    for entity in engine.store?.model.entities ?? [] where owner == nil || owner == entity.name {
      guard let index = entity.index(of: name) else { continue }
      let property = entity.properties[index]
      var notes = EntityHelp.notes(at: index, of: entity, in: engine.store).joined(separator: ", ")
      if !notes.isEmpty { notes = "\n    " + notes }
      text += "  " + style(.name, "\(entity.name).\(name)") + "  \(EntityHelp.typeText(property))\(notes)\n"
      text += example(Self.example(property, of: entity))
    }
    return text
  }

  private static func example(_ property: Property, of entity: Entity) -> String {
    let name = property.name
    if let relationship = property.relationship {
      return relationship.isToMany
        ? "\(entity.name):where \"\(name).@count > 1\"" : "\(entity.name):where \"\(name) != nil\""
    }
    switch property.attribute?.type {
    case .string, .url: return "\(entity.name):where \"\(name) CONTAINS[cd] 'a'\""
    case .boolean: return "\(entity.name):where \"\(name) == YES\""
    case .date: return "\(entity.name):where(\"\(name) > %@\", Date \"2024-01-01\")"
    case .double, .float, .decimal, .integer16, .integer32, .integer64: return "\(entity.name):where \"\(name) > 5\""
    default: return "\(entity.name):where \"\(name) != nil\""
    }
  }

  /// A page of the predicate language.
  func page(_ topic: PredicateTopic) -> String {
    let names = topic.names.count > 1 ? style(.note, "  also " + topic.names.dropFirst().joined(separator: " ")) : ""
    let lines = DisplayText.wrapped(topic.text, in: max(width - 6, 30), .utf8, atWords: true)
    return "  " + style(.name, topic.form) + names + "\n" + lines.map { "    \($0)\n" }.joined()
      + sampleExample(topic.example)
  }

  /// The counterpart of a name of Apple's frameworks, with the pages on it.
  func page(_ name: AppleName) -> String {
    let others = name.names.count > 1 ? style(.note, "  also " + name.names.dropFirst().joined(separator: " ")) : ""
    let lines = DisplayText.wrapped(name.text, in: max(width - 6, 30), .utf8, atWords: true)
    let ours = name.ours.compactMap { title in entries(title) }
    return "  " + style(.name, name.names[0]) + others + "\n" + lines.map { "    \($0)\n" }.joined() + ours.joined()
  }

  /// A page on a function of predicates that has none of its own.
  func predicateFunction(_ name: String) -> String? {
    let word = name.hasSuffix("()") ? String(name.dropLast(2)) : name
    guard let signature = FunctionNames.signature(word) else { return nil }
    return "  " + style(.name, signature) + "\n    A function in predicates and sort keys.\n"
  }

  /// All words of the predicate language.
  var predicates: String {
    "The predicate language of NSPredicate; ?CONTAINS and so on tell of each.\n"
      + section("Words", PredicateTopic.all.flatMap(\.names)) + section("Functions", FunctionNames.all)
      + example(PredicateTopic.all[0].example)
  }
}

extension String {
  /// The text with blanks behind it up to a column.
  fileprivate func padding(to column: Int) -> String { self + String(repeating: " ", count: max(column - count, 1)) }
}
