internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Storage

internal import func Foundation.strerror

// The one place where facts become sentences. A sentence names the place in the user's terms, what was expected, what
// was found, and the nearest right name. To add an error: a case of its fact, which the compiler then asks for here.

extension ErrorReport {
  /// Puts any error of the engine into words.
  public init(_ error: any Error) {
    switch error {
    case let error as any ReportedError: self = error.report
    case let error as ScriptError: self = .init("argument", error.sentence)
    case let error as ModelError: self = .init("model", error.sentence, exitStatus: 69)
    case let error as PredicateError: self = Self.report(error)
    case let error as FetchTemplateError:
      self = Self.report(error.error)
      message = "\(error.place): \(message)"
    case let error as StoreError: self = Self.report(error)
    case let error as GraphError: self = Self.report(error)
    case let error as ValueError: self = .init("value", error.sentence)
    case let error as JSONError: self = .init("value", error.sentence)
    case let error as ModelCodingError: self = .init("model", error.sentence, exitStatus: 69)
    case let error as DelimitedError: self = .init("data", error.sentence, exitStatus: 65)
    case let error as JSONRowsError: self = .init("data", error.sentence, exitStatus: 65)
    case let error as LuaError: self = Self.report(error)
    default: self = .init("error", String(describing: error))
    }
  }

  /// The nearest name as the end of a sentence.
  static func hint(_ nearest: String?) -> String { nearest.map { "; did you mean '\($0)'?" } ?? "" }

  /// Names as people list them: `a`, `a and b`, `a, b and c`.
  static func list(_ names: [String], _ conjunction: String = "and") -> String {
    guard names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) \(conjunction) \(names[names.count - 1])"
  }

  static func count(_ number: Int, _ noun: String) -> String { number == 1 ? "1 \(noun)" : "\(number) \(noun)s" }

  /// A type's name with its article.
  static func article(_ name: String) -> String {
    let vowel = name.first.map { "aeiouAEIO".contains($0) } ?? false
    return "\(vowel ? "an" : "a") \(name)"
  }
}

// MARK: - Lua

extension ErrorReport {
  /// A Lua error keeps Lua's words; its place is at their beginning.
  fileprivate static func report(_ error: LuaError) -> ErrorReport {
    switch error.kind {
    case .syntax: ErrorReport("syntax", error.message)
    case .runtime, .handler: ErrorReport("lua", error.message)
    case .memory: ErrorReport("memory", error.message)
    case .interrupted: ErrorReport("interrupted", "interrupted", exitStatus: 130)
    case .timedOut: ErrorReport("timeout", "the time limit was reached", exitStatus: 124)
    case .exit(let status): ErrorReport("exit", "exit", exitStatus: status)
    }
  }
}

// MARK: - Calls

extension ScriptError {
  fileprivate var sentence: String {
    switch fact {
    case .expected(let expected, let found): "\(place): expected \(expected), got \(found)"
    case .unknownOption(let name, let nearest): "\(place): there is no option '\(name)'\(ErrorReport.hint(nearest))"
    case .unknownMember(let name, let owner, let nearest): "\(owner) has no '\(name)'\(ErrorReport.hint(nearest))"
    case .notSettable(let name, let owner): "'\(name)' of \(owner) cannot be set"
    case .missing(let what): "\(place): \(what) is missing"
    case .builtIn(let name): "\(place): '\(name)' is built in and cannot be redefined"
    case .closed(let what): "\(place): the \(what) is closed"
    case .other(let text): place.isEmpty ? text : "\(place): \(text)"
    }
  }
}

// MARK: - Models and values

extension ModelError {
  /// The mistake with the entity and property it stands in.
  fileprivate var sentence: String {
    let place = property.map { "\(entity).\($0)" } ?? entity
    return "\(place): \(mistake)"
  }

  private var mistake: String {
    switch fact {
    case .duplicateEntity: "there are two entities of this name"
    case .duplicateProperty: "there are two properties of this name"
    case .invalidName(let name): "'\(name)' cannot be a name"
    case .unknownParent(let name, let nearest):
      "there is no entity '\(name)' to be its parent\(ErrorReport.hint(nearest))"
    case .inheritanceCycle: "it is its own ancestor"
    case .unknownDestination(let name, let nearest):
      "it leads to '\(name)', but there is no such entity\(ErrorReport.hint(nearest))"
    case .unknownFetchedEntity(let name, let nearest):
      "it fetches '\(name)', but there is no such entity\(ErrorReport.hint(nearest))"
    case .unknownInverse(let name, let destination, let nearest):
      "its inverse '\(name)' is no relationship of \(destination)\(ErrorReport.hint(nearest))"
    case .inverseMismatch(let name, let destination): "its inverse '\(name)' of \(destination) does not lead back to it"
    case .unknownProperty(let name, let list, let nearest):
      "'\(list)' names '\(name)', which is no property\(ErrorReport.hint(nearest))"
    case .wrongDefault(let value, let type):
      "its default is \(ErrorReport.article(value.kindName)), not \(ErrorReport.article(type.rawValue))"
    case .wrongBound(let value, let type):
      "its bound is \(ErrorReport.article(value.kindName)), not \(ErrorReport.article(type.rawValue))"
    case .invalidDerivation(let text, let reason): "it cannot be derived from '\(text)': \(reason)"
    case .invalidRegularExpression(let pattern): "'\(pattern)' is no regular expression"
    case .invalidCount(let minimum, let maximum): "its minCount \(minimum) is more than its maxCount \(maximum)"
    case .invalidOption(let name, let reason): "\(name): \(reason)"
    }
  }
}

extension ValueError {
  /// The mistake with the property it is about.
  fileprivate var sentence: String { "\(entity.map { "\($0)." } ?? "")\(property): \(mistake)" }

  fileprivate var mistake: String {
    switch fact {
    case .wrongType(let expected, let found, let value): "expected \(expected.rawValue), got \(found) (\(value))"
    case .notWhole(let expected, let value): "expected \(expected.rawValue), got \(value), which has a fraction"
    case .outOfRange(let expected, let value): "expected \(expected.rawValue)\(expected.range), got \(value)"
    case .notANumber(let expected, let value): "expected \(expected.rawValue), got \(value)"
    case .invalidText(let expected, let value):
      "expected \(expected.rawValue), got \(value), which does not read as one"
    case .invalidUTF8(let value): "expected text in UTF-8, got \(value)"
    case .notJSON(let value): "expected what JSON can hold, got \(value)"
    case .unknownElement(let name, let nearest): "there is no element '\(name)'\(ErrorReport.hint(nearest))"
    }
  }
}

extension AttributeType {
  /// The range of an integer type, for messages.
  fileprivate var range: String {
    integerRange.map { " (\($0.lowerBound) to \($0.upperBound))" } ?? ""
  }
}

extension TextPlace {
  fileprivate var text: String { "line \(line), column \(column)" }
}

extension ModelCodingError {
  fileprivate var sentence: String {
    switch self {
    case .notJSON(let error): "the model cannot be read: \(error.sentence)"
    case .unknownVersion(let version, let newest):
      "the model was written by a newer perilune (version \(version), and this one knows \(newest))"
    case .invalidField(let path, let expected): "the model cannot be read: expected \(expected) at \(path)"
    }
  }
}

extension DelimitedError {
  fileprivate var sentence: String {
    if case .unreadable(let number) = fact { return "the file cannot be read: \(String(cString: strerror(number)))" }
    return "\(place.text): \(mistake)"
  }

  private var mistake: String {
    switch fact {
    case .unreadable: "the file cannot be read"
    case .wrongEncoding(let name): "the text is in \(name), and only UTF-8 is read"
    case .invalidUTF8: "the text is not valid UTF-8"
    case .unterminatedQuote: "the quote is never closed"
    case .strayQuote: "a quote stands within a field that does not begin with one"
    case .textAfterQuote(let text): "'\(text)' follows the closing quote"
    case .wrongFieldCount(let expected, let found): "expected \(ErrorReport.count(expected, "field")), found \(found)"
    case .rowTooLong(let limit): "the row is longer than \(limit) bytes"
    }
  }
}

extension JSONRowsError {
  fileprivate var sentence: String {
    switch fact {
    case .unreadable(let number): "the file cannot be read: \(String(cString: strerror(number)))"
    case .json(let fact): "\(place.text): \(fact.sentence)"
    case .unexpected(let found, let expected): "\(place.text): expected \(expected), found \(found)"
    case .unexpectedEnd(let expected): "\(place.text): the text ends where \(expected) is expected"
    case .rowTooLong(let limit): "\(place.text): the row is longer than \(limit) bytes"
    }
  }
}

extension JSONError {
  fileprivate var sentence: String { "\(place.text): \(fact.sentence)" }
}

extension JSONError.Fact {
  fileprivate var sentence: String {
    switch self {
    case .unexpectedEnd(let expected): "the text ends where \(expected) is expected"
    case .unexpected(let found, let expected): "expected \(expected), found \(found)"
    case .trailingText(let text): "'\(text)' follows the value"
    case .invalidNumber(let text): "'\(text)' is no number"
    case .numberOutOfRange(let text): "'\(text)' is out of the range of numbers"
    case .unterminatedString: "the string is not closed"
    case .controlCharacter(let byte): "the control character \(byte) must be escaped"
    case .invalidEscape(let text): "'\(text)' is no escape sequence"
    case .loneSurrogate(let text): "'\(text)' is half of a surrogate pair"
    case .invalidUTF8: "the text is not valid UTF-8"
    case .tooDeep(let limit): "it is nested more than \(limit) levels deep"
    }
  }
}

// MARK: - Predicates

extension ErrorReport {
  fileprivate static func report(_ error: PredicateError) -> ErrorReport {
    let details = error.issues.map { issue in
      Detail(issue.fact.sentence, excerpt: issue.origin.map { Excerpt(text: $0.text, range: $0.range) })
    }
    return ErrorReport("predicate", details.map(\.message).joined(separator: "\n"), details: details)
  }
}

extension PredicateError.Fact {
  fileprivate var sentence: String {
    switch self {
    case .unexpected(let found, let expected): "expected \(expected), found \(found)"
    case .unterminatedString: "the string is not closed"
    case .invalidEscape(let text): "'\(text)' is no escape sequence"
    case .invalidNumber(let text): "'\(text)' is no number"
    case .unknownOperator(let name, let nearest): "'\(name)' is not an operator\(ErrorReport.hint(nearest))"
    case .unknownOption(let option, let comparator): "\(comparator) has no option '\(option)'; there are c, d, n and l"
    case .unknownFunction(let name, let nearest): "there is no function '\(name)'\(ErrorReport.hint(nearest))"
    case .wrongArgumentCount(let function, let expected, let given):
      "\(function) takes \(expected), but \(given) \(given == 1 ? "was" : "were") given"
    case .unknownPlaceholder(let text): "'\(text)' is no placeholder; %@ takes a value and %K a key path"
    case .tooFewArguments(let expected, let given), .tooManyArguments(let expected, let given):
      "the format takes \(ErrorReport.count(expected, "argument")), but \(given) \(given == 1 ? "was" : "were") given"
    case .wrongArgument(let placeholder, let found): "\(placeholder) cannot take \(ErrorReport.article(found))"
    case .tooDeep: "the predicate is nested too deeply"
    case .unknownProperty(let name, let entity, let nearest):
      "\(entity) has no property '\(name)'\(ErrorReport.hint(nearest))"
    case .propertyOfSubentity(let name, let entity, let subentity):
      "\(entity) has no property '\(name)'; its subentity \(subentity) has one: fetch \(subentity) instead"
    case .notARelationship(let name, let entity, let type):
      "'\(name)' of \(entity) is \(ErrorReport.article(type.rawValue)), not a relationship: nothing can follow it"
    case .toManyWithoutQuantifier(let path):
      "'\(path)' leads to many objects: put ANY, ALL or NONE before it, or an aggregate such as @count behind it"
    case .tooManyToMany(let path): "'\(path)' passes more than one to-many relationship"
    case .quantifierNeedsToMany(let modifier, let path):
      "\(modifier.rawValue) needs a path through a to-many relationship, and '\(path)' has none"
    case .typeMismatch(let comparator, let left, let right): "\(comparator) cannot compare \(left) with \(right)"
    case .unsupported(let text): text
    case .wrongOperand(let function, let expected, let found): "\(function) takes \(expected), not \(found)"
    case .unknownVariable(let name, let nearest): "there is no variable $\(name)\(ErrorReport.hint(nearest))"
    case .unboundVariable(let name, let nearest):
      "$\(name) has no value; give it one with :bind\(ErrorReport.hint(nearest))"
    case .invalidRegularExpression(let pattern, let reason): "'\(pattern)' is no regular expression: \(reason)"
    case .unknownOptionName(let name, let nearest): "there is no option '\(name)'\(ErrorReport.hint(nearest))"
    case .invalidRequest(let text): text
    }
  }
}

// MARK: - Objects

extension ErrorReport {
  fileprivate static func report(_ error: GraphError) -> ErrorReport {
    switch error.fact {
    case .unknownProperty(let name, let entity, let nearest):
      return ErrorReport("property", "\(entity) has no property '\(name)'\(hint(nearest))")
    case .wrongValue(let error, let entity, let property):
      return ErrorReport("value", "\(entity).\(error.property.isEmpty ? property : error.property): \(error.mistake)")
    case .notWritable(let property, let entity, let reason):
      return ErrorReport("property", "\(entity).\(property) cannot be set: \(reason)")
    case .wrongEntity(let property, let entity, let expected, let found):
      return ErrorReport("value", "\(entity).\(property): expected \(article(expected)), got \(article(found))")
    case .otherContext(let entity, let property):
      return ErrorReport("value", "\(entity).\(property): the object belongs to another context")
    case .readOnlyEntity(let name):
      return ErrorReport("readOnly", "\(name) cannot be written: it has no key, or is a view", exitStatus: 77)
    case .abstractEntity(let name): return ErrorReport("object", "\(name) is abstract: make an object of a subentity")
    case .deletedObject(let name): return ErrorReport("deleted", "\(name) was deleted")
    case .missingRow(let entity, let key, let origin):
      let lead = origin.map { "\($0) leads to" } ?? "there is no"
      return ErrorReport(
        "missingRow", "\(lead) \(entity) \(key)\(origin == nil ? " in the store" : ", which is not in the store")")
    case .missingInParent(let name):
      return ErrorReport("missingRow", "\(name) is no longer in the parent context, which took it back")
    case .invalid(let violations): return report(violations)
    case .saving: return ErrorReport("saving", "the context is being saved")
    case .validating(let entity):
      return ErrorReport("saving", "\(entity) cannot be changed by what validates it; change it in willSave")
    case .endlessWillSave(let entity, let calls):
      return ErrorReport(
        "saving",
        "willSave goes on changing \(article(entity)) after \(calls) calls; set a value only where it differs")
    case .endlessDidSave(let rounds):
      return ErrorReport("saving", "what is called after a save has saved again \(rounds) times without an end")
    case .conflicts(let conflicts): return report(conflicts)
    case .keyNeeded(let entity, let expected):
      return ErrorReport("argument", "\(entity) is found by \(list(expected))")
    case .pendingChanges(let entity, let count):
      let what = "\(Self.count(count, "object")) of \(entity) with unsaved changes"
      return ErrorReport("pendingChanges", "the batch request touches \(what); save or roll back first")
    case .pendingChangesToSave(let entity, let count):
      let what = "\(Self.count(count, "object")) of \(entity) with unsaved changes"
      return ErrorReport("pendingChanges", "the save wrote \(what); save or roll back first")
    case .inRow(let row, let error):
      var report = ErrorReport(error)
      report.message = "row \(row): \(report.message)"
      return report
    case .undoTooLarge: return ErrorReport("undo", "the last changes were too many to be kept for an undo")
    case .unsupported(let text): return ErrorReport("unsupported", text)
    }
  }

  private static func report(_ violations: [ObjectViolation]) -> ErrorReport {
    let details = violations.map { violation in
      Detail(
        "\(violation.label): \(violation.violation.sentence)",
        fields: [
          ("object", violation.object.description), ("entity", violation.violation.entity),
          ("property", violation.violation.property), ("rule", "\(violation.violation.kind)"),
          ("value", violation.violation.value.shortText),
        ])
    }
    guard details.count > 1 else {
      return ErrorReport("validation", details.first?.message ?? "invalid", details: details)
    }
    let lines = ["\(details.count) values are not valid:"] + details.map { "  \($0.message)" }
    return ErrorReport("validation", lines.joined(separator: "\n"), details: details)
  }
}

// MARK: - Conflicts

extension ErrorReport {
  private static func report(_ conflicts: [ObjectConflict]) -> ErrorReport {
    let details = conflicts.flatMap { conflict in
      let properties = conflict.properties.isEmpty ? [nil] : conflict.properties.map(Optional.some)
      return properties.map { detail(conflict, $0) }
    }
    let isAboutUniqueness = conflicts.allSatisfy(\.kind.isAboutUniqueness)
    let kind = isAboutUniqueness ? "notUnique" : "conflict"
    let sentences = conflicts.map(\.sentence)
    guard sentences.count > 1 else { return ErrorReport(kind, sentences.first ?? "conflict", details: details) }
    let head = isAboutUniqueness ? "values are not unique" : "objects are in conflict with the store"
    let lines = ["\(sentences.count) \(head):"] + sentences.map { "  \($0)" }
    return ErrorReport(kind, lines.joined(separator: "\n"), details: details)
  }

  /// The conflict about one of its properties, or as a whole.
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
      return "\(label) and \(other) are both to be saved with \(pairs)"
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
  /// One word that scripts can compare.
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

extension Violation {
  var sentence: String {
    switch kind {
    case .wrongType: "\(property) is \(value.shortText), which is not of its type"
    case .notUnique: "\(property) is \(value.shortText), as that of another object"
    case .missingMandatory: "\(property) is missing"
    case .tooFewObjects: "\(property) has \(value.shortText) objects, fewer than \(bound.shortText)"
    case .tooManyObjects: "\(property) has \(value.shortText) objects, more than \(bound.shortText)"
    case .deleteDenied: "cannot be deleted while \(property) has \(value.shortText) objects"
    case .numberTooLarge, .dateTooLate: "\(property) is \(value.shortText), more than \(bound.shortText)"
    case .numberTooSmall, .dateTooSoon: "\(property) is \(value.shortText), less than \(bound.shortText)"
    case .stringTooLong: "\(property) is longer than \(bound.shortText) characters: \(value.shortText)"
    case .stringTooShort: "\(property) is shorter than \(bound.shortText) characters: \(value.shortText)"
    case .custom: (property.isEmpty ? "" : "\(property): ") + (text ?? "is not valid")
    case .patternMismatch: "\(property) is \(value.shortText), which does not match \(bound.displayText)"
    }
  }
}

// MARK: - Stores

extension ErrorReport {
  fileprivate static func report(_ error: StoreError) -> ErrorReport {
    let path = error.path.map { "'\($0)'" } ?? "the store"
    func report(_ kind: String, _ message: String, _ status: Int32, details: [String] = []) -> ErrorReport {
      ErrorReport(kind, message, details: details.map { Detail($0) }, exitStatus: status)
    }
    func lines(_ head: String, _ rest: [String]) -> String { ([head] + rest.map { "  \($0)" }).joined(separator: "\n") }
    switch error.fact {
    case .notFound: return report("notFound", "there is no store \(path); make one with create = true (--create)", 66)
    case .isDirectory: return report("notFound", "\(path) is a directory, not a store", 66)
    case .notReadable(let reason): return report("store", "\(path) cannot be read: \(reason)", 66)
    case .notADatabase: return report("store", "\(path) is not an SQLite file", 69)
    case .encryptedOrNotADatabase: return report("store", "\(path) is encrypted, or not an SQLite file", 69)
    case .truncated: return report("store", "\(path) is cut off: the file is shorter than its header says", 69)
    case .modelMismatch(let differences):
      return report("model", lines("the model does not fit \(path):", differences), 69, details: differences)
    case .migrationRefused(let reasons):
      return report("migration", lines("\(path) cannot be migrated to the model:", reasons), 69, details: reasons)
    case .newerStore(let version):
      return report("store", "\(path) was made by a newer perilune (format \(version))", 69)
    case .newerModel, .unknownModel, .stagesApart, .stagesEndElsewhere, .notMigratable, .backupFailed,
      .damagedByMigration:
      return migrationReport(error, path)
    case .cannotCreate(let reason): return report("store", "\(path) cannot be made: \(reason)", 74)
    case .closed: return report("closed", "the store is closed", 1)
    case .busy(let seconds, let holders):
      let who = holders.isEmpty ? "another process" : list(holders)
      return report("busy", "\(path) is locked by \(who); waited \(seconds.formattedSeconds)", 75)
    case .openTransaction:
      return report("transaction", "a transaction of \(path) is open, and this cannot be done before it has ended", 1)
    case .cursorIsOutdated:
      let what = "another process wrote to \(path) while a loop over its objects is not at its end"
      return report("busy", "\(what); save after the loop, or loop over what fetch() gives", 75)
    case .readOnly: return report("readOnly", "\(path) was opened read-only", 77)
    case .readOnlyEntity(let name):
      return report("readOnly", "\(name) cannot be written: it has no key, or is a view", 77)
    case .corrupt(let text): return report("store", "\(path) is damaged: \(text)", 74)
    case .full: return report("store", "\(path) cannot grow: the disk is full", 74)
    case .inputOutput(let text): return report("store", "\(path): input or output failed: \(text)", 74)
    case .interrupted: return report("interrupted", "the statement was interrupted; nothing of it was kept", 130)
    case .notUnique(let entity, let properties, let values):
      if properties == ["_pk"] {
        return report("notUnique", "an object of \(entity) that was to come back is in the store again", 1)
      }
      let pairs = zip(properties, values).map { "\($0) = \($1.debugText)" }
      let what = pairs.isEmpty ? list(properties) : list(pairs)
      return report("notUnique", "there is another \(entity) with \(what)", 1)
    case .constraint(let text): return report("constraint", "the store refused it: \(text)", 1)
    case .deleteDenied(let entity, let relationship, let number):
      return report("validation", "\(entity) cannot be deleted while \(relationship) has \(count(number, "object"))", 1)
    case .sql(let message, let statement, let offset):
      let detail = Detail(message, excerpt: offset.map { Excerpt(text: statement, range: $0..<$0 + 1) })
      return ErrorReport("sql", message, details: [detail])
    case .missingRow(let entity, let key): return report("missingRow", "\(entity) \(key) is no longer in the store", 1)
    case .outOfMemory: return report("store", "SQLite ran out of memory", 74)
    case .nothingTo(let direction): return report("undo", "there is nothing to \(direction.verb)", 1)
    case .notUndoable(let obstacle): return report("undo", "the last save cannot be undone: \(obstacle.sentence)", 1)
    case .changedSince(let direction, let conflicts):
      let details = conflicts.map(\.sentence)
      let more = details.count > 10 ? ["and \(details.count - 10) more"] : []
      let head = "the save cannot be \(direction.participle), because its rows were changed since:"
      return report("conflict", lines(head, details.prefix(10) + more), 1, details: details)
    case .historyUnsupported(let kind):
      return report("history", "\(path) keeps no history: it is a \(kind.rawValue) store, not one made here", 1)
    case .noHistory: return report("history", "\(path) has no history; open it with { history = true }", 1)
    case .historyExpired(let token, let oldest):
      return report(
        "historyExpired",
        "the history behind token \(token) was deleted or not recorded; it is whole from token \(oldest) on", 1)
    case .unknownHistoryToken(let token, let newest):
      return report("history", "\(path) has no token \(token); its history ends with \(newest)", 1)
    }
  }
}

// MARK: Migrations

extension ErrorReport {
  private static func migrationReport(_ error: StoreError, _ path: String) -> ErrorReport {
    func report(_ message: String, _ details: [String] = [], _ status: Int32 = 69) -> ErrorReport {
      ErrorReport("migration", message, details: details.map { Detail($0) }, exitStatus: status)
    }
    switch error.fact {
    case .newerModel(let stored, let wanted, let extra):
      let lost = extra.isEmpty ? "" : ", which lacks \(list(extra))"
      return report("\(path) has \(stored) of its model, and the model given is \(wanted)\(lost)", extra)
    case .unknownModel(let stored, let known, let nearest, let differences):
      let lines = [
        "\(path) has \(stored) of its model, which is none of the stages' (\(list(known)));"
          + " from \(nearest) it differs by:"
      ]
      return report((lines + differences.map { "  \($0)" }).joined(separator: "\n"), differences)
    case .stagesApart(let stage, let begins, let previous):
      return report("stage \(stage) begins with \(begins), and the stage before it ends with \(previous)")
    case .stagesEndElsewhere(let last, let wanted):
      return report("the model given is \(wanted), and no stage leads there: the last ends with \(last)")
    case .backupFailed(let cause, let backup):
      let reason =
        if case .cannotCreate(let text) = cause { text } else { ErrorReport(StoreError(cause, path: backup)).message }
      return report(
        "no copy of \(path) could be made at '\(backup)' before it is migrated: \(reason); make room there, or go"
          + " without by backup = false", [], 74)
    case .damagedByMigration(let backup, let reason):
      return report("\(path) was damaged while it was migrated (\(reason)); '\(backup)' is the store before it", [], 74)
    default: return report("\(path) cannot be migrated: it was not made by perilune")
    }
  }
}

extension SaveDirection {
  fileprivate var verb: String { self == .undo ? "undo" : "redo" }
  fileprivate var participle: String { self == .undo ? "undone" : "redone" }
}

extension UndoObstacle {
  fileprivate var sentence: String {
    switch self {
    case .tooLarge: "it wrote too much for its inverse to be kept"
    case .schemaChanged(let table?): "the table \(table) was changed since"
    case .schemaChanged: "it changed the tables themselves"
    case .virtualTable(let table): "the rows of \(table) belong to a virtual table or cannot be told apart"
    case .unreadable: "its changes could not be read"
    }
  }
}

extension ReversalConflict {
  fileprivate var sentence: String {
    switch reason {
    case .changed(let properties) where properties.isEmpty: "\(entity) \(key) was changed"
    case .changed(let properties): "\(entity) \(key) has another \(ErrorReport.list(properties))"
    case .deleted: "\(entity) \(key) was deleted"
    case .insertedAgain: "there is another \(entity) \(key)"
    case .referredTo(let other): "\(entity) \(key) would go, but \(other) leads to it"
    case .leadsNowhere(let other): "\(entity) \(key) would lead to \(other), which is gone"
    }
  }
}

extension Double {
  fileprivate var formattedSeconds: String { self == rounded() && magnitude < 1e9 ? "\(Int(self)) s" : "\(self) s" }
}
