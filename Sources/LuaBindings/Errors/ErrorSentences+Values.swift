internal import Modeling

extension ValueError {
  /// The error with its property.
  var sentence: String { "\(entity.map { "\($0)." } ?? "")\(property): \(mistake)" }

  var mistake: String {
    switch fact {
    case .wrongType(let expected, let found, let value): "expected \(expected.rawValue), got \(found) (\(value))"
    case .notWhole(let expected, let value): "expected \(expected.rawValue), got \(value), which has a fraction"
    case .outOfRange(let expected, let value): "expected \(expected.rawValue)\(expected.range), got \(value)"
    case .notANumber(let expected, let value): "expected \(expected.rawValue), got \(value)"
    case .invalidText(let expected, let value):
      "expected \(expected.rawValue), got \(value), which does not read as one"
    case .invalidUTF8(let value): "expected text in UTF-8, got \(value)"
    case .notJSON(let value): "expected a value that JSON can represent, got \(value)"
    case .transformed(let name, let value):
      "only the app's \(name) can convert values for the store; set the bytes (Data) that it would write, got \(value)"
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

extension Violation {
  var sentence: String {
    switch kind {
    case .wrongType: "\(property) is \(value.shortText), which is not of its type"
    case .notUnique: "\(property) is \(value.shortText), as that of another object"
    case .missingMandatory: "\(property) is missing"
    case .tooFewObjects: "\(property) has \(value.countText) objects, fewer than \(bound.countText)"
    case .tooManyObjects: "\(property) has \(value.countText) objects, more than \(bound.countText)"
    case .deleteDenied:
      hold.map { "cannot be deleted: \($0.sentence)" }
        ?? "cannot be deleted while \(property) has \(value.countText) objects"
    case .numberTooLarge, .dateTooLate: "\(property) is \(value.shortText), more than \(bound.shortText)"
    case .numberTooSmall, .dateTooSoon: "\(property) is \(value.shortText), less than \(bound.shortText)"
    case .stringTooLong: "\(property) is longer than \(bound.countText) characters: \(value.shortText)"
    case .stringTooShort: "\(property) is shorter than \(bound.countText) characters: \(value.shortText)"
    case .custom: (property.isEmpty ? "" : "\(property): ") + (text ?? "is not valid")
    case .patternMismatch: "\(property) is \(value.shortText), which does not match \(bound.displayText)"
    }
  }
}

extension Value {
  /// A number of objects or characters, in a sentence.
  fileprivate var countText: String {
    if case .int(let count) = self { Quantity.grouped(Int(count)) } else { shortText }
  }
}

extension Violation.Hold {
  /// `87 objects of Drink need it as ingredientBase, which is mandatory: Negroni, Martini, Gimlet and 84 more`
  var sentence: String {
    let shown = count > names.count ? names + ["\(Quantity.grouped(count - names.count)) more"] : names
    let who = count == 1 ? "1 object of \(entity) needs" : "\(Quantity.grouped(count)) objects of \(entity) need"
    return "\(who) it as \(property), which is mandatory: \(ErrorReport.list(shown))"
  }
}
