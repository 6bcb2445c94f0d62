internal import Modeling

extension AppleForm {
  mutating func form(_ attribute: Attribute, place: String, isElement: Bool) -> Attribute {
    var attribute = bounded(attribute, place: place)
    if attribute.isReadOnly { note("\(place) can be written to in an app") }
    attribute.isReadOnly = false
    if attribute.type != .transformable { attribute.valueTransformerName = nil }
    if attribute.type == .composite { attribute.valueClassName = nil }
    if attribute.regularExpression?.isMarkup == false {
      note("\(place): the pattern is left out: it has characters that XML cannot have")
      attribute.regularExpression = nil
    }
    attribute.userInfo = writable(attribute.userInfo, place: place)
    attribute.derivation = attribute.derivation.map { (try? CanonicalFormat.expression($0)) ?? $0 }
    if attribute.derivation == "" { attribute.derivation = nil }
    attribute.defaultValue = writable(attribute.defaultValue, attribute, "the default", place: place)
    attribute.minimum = writable(attribute.minimum, attribute, "the smallest value", place: place)
    attribute.maximum = writable(attribute.maximum, attribute, "the largest value", place: place)
    if attribute.type == .composite {
      attribute.elements = attribute.elements.map {
        form($0, place: "\(place).\($0.name)", isElement: true)
      }
      attribute.compositeName = compositeName(of: attribute, place: place)
    } else {
      attribute.compositeName = nil
    }
    return attribute
  }

  /// The attribute with conditions as bounds where they are some; others cannot be said.
  private mutating func bounded(_ attribute: Attribute, place: String) -> Attribute {
    var bounded = attribute
    bounded.defaultValue = .null
    bounded.validationPredicates = []
    for condition in attribute.validationPredicates {
      if condition.warning != nil || !bounded.absorb(condition) {
        note("\(place): the condition \(condition.predicate) is left out")
      }
    }
    bounded.defaultValue = attribute.defaultValue
    return bounded
  }

  /// The value as it is read again; nothing where it cannot be written.
  private mutating func writable(_ value: Value, _ attribute: Attribute, _ what: String, place: String) -> Value {
    guard !value.isNull else { return .null }
    guard let text = attribute.type.text(of: value), text.isMarkup, let read = attribute.type.value(of: text),
      let kept = try? attribute.coerce(read)
    else {
      note("\(place): \(what) is left out")
      return .null
    }
    return kept
  }

  /// The texts of a user info that can be written.
  mutating func writable(_ userInfo: [String: String], place: String) -> [String: String] {
    let kept = userInfo.filter { $0.key.isMarkup && $0.value.isMarkup }
    if kept.count < userInfo.count {
      note("\(place): a part of its user info is left out: it has characters that XML cannot have")
    }
    return kept
  }

  /// Notes a name that no class, and so Xcode, can have.
  mutating func check(name: String, place: String) {
    let scalars = name.unicodeScalars
    let isPlain = scalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
    if !isPlain || scalars.first.map({ $0 == "_" || $0.properties.isXIDStart }) != true {
      note("\(place): Xcode takes names of letters, digits and _ alone that begin with a letter")
    }
  }

  /// The name of a composite's type: its own, or one made of where it stands.
  private mutating func compositeName(of attribute: Attribute, place: String) -> String {
    let words = place.split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let made = attribute.compositeName.flatMap { $0.isEmpty ? nil : $0 } ?? words.joined()
    var name = made
    var number = 2
    while let known = composites[name], known != attribute.elements {
      name = "\(made)\(number)"
      number += 1
    }
    composites[name] = attribute.elements
    return name
  }
}

extension AttributeType {
  /// The value as a document writes it; nil if it cannot.
  func text(of value: Value) -> String? {
    switch (self, value) {
    case (.data, _), (.transformable, _), (.composite, _), (.any, _): nil
    case (_, .bool(let flag)): flag ? "YES" : "NO"
    case (_, .date(let date)): "\(date.seconds - ArchivedObject.referenceDate)".droppingZeroFraction
    case (_, .double(let number)): "\(number)"
    case (_, .null), (_, .json), (_, .object), (_, .list), (_, .data): nil
    default: value.displayText
    }
  }
}

extension String {
  /// `86400.0` as `86400`.
  fileprivate var droppingZeroFraction: String { hasSuffix(".0") ? String(dropLast(2)) : self }
}
