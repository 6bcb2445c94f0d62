internal import Modeling
internal import ObjectGraph

extension ErrorReport {
  /// Reports the conflicts of differences with the store that they are applied to.
  static func report(differencesIn conflicts: [ObjectConflict]) -> ErrorReport {
    let details = conflicts.flatMap { conflict in conflict.properties.map { detail(conflict, $0) } }
    let sentences = conflicts.map(\.differenceSentence)
    guard sentences.count > 1 else { return ErrorReport("conflict", sentences.first ?? "conflict", details: details) }
    let lines = ["\(Quantity.grouped(sentences.count)) objects are not as expected:"] + sentences.map { "  \($0)" }
    return ErrorReport("conflict", lines.joined(separator: "\n"), details: details)
  }

  static func report(_ conflicts: [ObjectConflict]) -> ErrorReport {
    let details = conflicts.flatMap { conflict in
      let properties = conflict.properties.isEmpty ? [nil] : conflict.properties.map(Optional.some)
      return properties.map { detail(conflict, $0) }
    }
    let isAboutUniqueness = conflicts.allSatisfy(\.kind.isAboutUniqueness)
    let kind = isAboutUniqueness ? "notUnique" : "conflict"
    let sentences = conflicts.map(\.sentence)
    guard sentences.count > 1 else { return ErrorReport(kind, sentences.first ?? "conflict", details: details) }
    let head = isAboutUniqueness ? "values are not unique" : "objects are in conflict with the store"
    let lines = ["\(Quantity.grouped(sentences.count)) \(head):"] + sentences.map { "  \($0)" }
    return ErrorReport(kind, lines.joined(separator: "\n"), details: details)
  }

  /// A detail on one property of the conflict, or on the conflict as a whole.
  private static func detail(_ conflict: ObjectConflict, _ property: PropertyConflict?) -> Detail {
    var whole = conflict
    whole.properties = property.map { [$0] } ?? []
    var detail = Detail(
      whole.sentence,
      fields: [("entity", conflict.object.entity.name), ("object", conflict.object.description)]
        + (property.map { [("property", $0.property)] } ?? []) + [("conflict", conflict.kind.word)])
    if let other = conflict.kind.other { detail.fields.append(("other", other.description)) }
    if let property {
      detail.values = [("mine", property.mine), ("theirs", property.theirs), ("base", property.base)]
    }
    return detail
  }
}

extension ObjectConflict {
  fileprivate var sentence: String {
    let names = ErrorReport.list(properties.map(\.property))
    let pairs = ErrorReport.list(properties.map { "\($0.property) = \($0.mine.debugText)" })
    switch kind {
    case .changed:
      return "\(label) was changed in the store since it was read: \(differences)"
    case .deletedInStore:
      let what = names.isEmpty ? "has unsaved changes" : "has unsaved changes of \(names)"
      return "\(label) was deleted in the store since it was read, and \(what)"
    case .deletedHere:
      return "\(label) is deleted here, but was changed in the store since it was read: \(differences)"
    case .notUnique:
      return "there is another \(object.entity.name) with \(pairs)"
    case .notUniqueAmongChanges(let other):
      return "\(label) and \(other) cannot both be saved with \(pairs)"
    }
  }

  private var differences: String {
    properties.map { property in
      let here = property.isMine ? ", here \(property.mine.shortText)" : ""
      return "\(property.property) was \(property.base.shortText) and is \(property.theirs.shortText) there\(here)"
    }.joined(separator: "; ")
  }
}

extension ObjectConflict.Kind {
  /// A word for comparisons in scripts.
  fileprivate var word: String {
    switch self {
    case .changed: "changed"
    case .deletedInStore: "deletedInStore"
    case .deletedHere: "deletedHere"
    case .notUnique, .notUniqueAmongChanges: "notUnique"
    }
  }

  fileprivate var isAboutUniqueness: Bool { other != nil }

  /// The object that has the unique values.
  fileprivate var other: ObjectID? {
    switch self {
    case .notUnique(let other), .notUniqueAmongChanges(let other): other
    case .changed, .deletedInStore, .deletedHere: nil
    }
  }
}
