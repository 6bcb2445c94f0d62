internal import Modeling
internal import Presentation
internal import Session

/// What could stand at a place of a document.
struct Completion {
  private let document: TextDocument
  private let offset: Int

  init(_ document: TextDocument, at offset: Int) { (self.document, self.offset) = (document, offset) }

  /// The candidates as the protocol lists them; an empty list where only what is plain Lua or Swift could stand.
  func json(in workspace: Workspace, among documents: [TextDocument]) -> JSON {
    switch document.language {
    case .lua?:
      guard let session = workspace.session(of: document)?.session else { break }
      return list(session.completions(inScript: document.text, at: offset), workspace.showsValues)
    case .swift?:
      guard let standing = workspace.standingText(at: offset, in: document, among: documents),
        let place = standing.offset(offset)
      else { break }
      let before = String(decoding: standing.text.utf8.prefix(place), as: UTF8.self)
      guard var found = completions(standing, before) else { break }
      found.start = standing.source(found.start..<found.start).lowerBound
      return list(found, workspace.showsValues)
    case nil: break
    }
    return list(Completions(start: offset), true)
  }

  private func completions(_ standing: StandingText, _ before: String) -> Completions? {
    let entity = standing.subject?.entity
    switch standing.form {
    case .keyPath, .aggregate: return PredicateCompleter(entity: entity, kind: .keyPath).completions(before, at: 0)
    case .macro: return members(standing, before)
    case .predicate: break
    }
    guard let entity, let subject = standing.subject, let context = subject.context, let session = subject.session
    else {
      return PredicateCompleter(entity: entity).completions(before, at: 0)
    }
    // A quotation mark would end the literal around.
    var found = session.session.completions(ofPredicate: before, of: entity, in: context, quote: "'")
    guard !isRaw(standing) else { return found }
    for index in found.candidates.indices {
      found.candidates[index].text = found.candidates[index].text.replacing("\\", with: "\\\\")
        .replacing("\"", with: "\\\"")
    }
    return found
  }

  /// Whether the text stands in a literal `#"…"#`, in which a backslash is one.
  private func isRaw(_ standing: StandingText) -> Bool {
    let before = document.bytes[..<standing.range.lowerBound].suffix(2)
    return before.elementsEqual("#\"".utf8)
  }

  /// The properties behind `$0.` in the outer closure of `#Predicate`.
  private func members(_ standing: StandingText, _ before: String) -> Completions? {
    let depth = before.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "{") ? 1 : $1 == UInt8(ascii: "}") ? -1 : 0) }
    let word = before.reversed().prefix { $0.isLetter || $0.isNumber || "_.$?!".contains($0) }
    var steps = String(word.reversed()).split(separator: ".", omittingEmptySubsequences: false).map {
      String($0.filter { $0 != "?" && $0 != "!" })
    }
    guard depth == 1, steps.count > 1, let entity = standing.subject?.entity else { return nil }
    let root = steps.removeFirst()
    guard root == "$0" || root == Self.parameter(of: standing.text) else { return nil }
    let path = steps.joined(separator: ".")
    var found = PredicateCompleter(entity: entity, kind: .keyPath).completions(path, at: 0)
    found.start = before.utf8.count - (steps.last ?? "").utf8.count
    return found
  }

  /// The parameter of the closure in `#Predicate<Quake> { quake in ... }`.
  private static func parameter(of macro: String) -> String? {
    guard let open = macro.firstIndex(of: "{") else { return nil }
    let words = macro[macro.index(after: open)...].split(maxSplits: 2) { $0.isWhitespace }
    return words.count > 1 && words[1] == "in" ? String(words[0]) : nil
  }

  // MARK: The list

  private func list(_ found: Completions, _ showsValues: Bool) -> JSON {
    let range = document.json(min(found.start, offset)..<offset)
    let candidates = found.candidates.filter { showsValues || !Self.isValue($0) }
    let items = candidates.prefix(500).enumerated().map { number, candidate -> JSON in
      var members: [String: JSON] = [
        "label": .string(candidate.text), "kind": .int(Self.kind(of: candidate)),
        // The most frequent values come first.
        "sortText": .string(String("0000\(number)".suffix(4))),
        "textEdit": .object(["range": range, "newText": .string(candidate.text)]),
      ]
      if !candidate.remark.isEmpty { members["detail"] = .string(candidate.remark) }
      return .object(members)
    }
    // With another letter there may be other values.
    return .object(["isIncomplete": .bool(!found.isWhole || candidates.count > 500), "items": .array(Array(items))])
  }

  /// Whether it is a value of the store, whose remark is how often it occurs.
  private static func isValue(_ candidate: Completions.Candidate) -> Bool {
    candidate.remark.first?.isNumber == true
  }

  /// The kind of a candidate as the protocol numbers them.
  private static func kind(of candidate: Completions.Candidate) -> Int64 {
    if isValue(candidate) { return 12 }
    switch candidate.remark {
    case "entity": return 7
    case "": return 14
    case _ where candidate.remark.hasPrefix("("): return 2
    default: return 10
    }
  }
}
