public import Modeling
public import Queries
public import SwiftParsing

extension Predicate {
  /// Reads a predicate from Swift source: `#Predicate`, `NSPredicate(format:)`, a function or declaration of one, or the
  /// request that has it.
  ///
  ///     try Predicate(swift: "#Predicate<Quake> { $0.magnitude >= 5 && $0.place.contains(\"Chile\") }", in: model)
  ///     // magnitude >= 5 AND place CONTAINS "Chile"
  ///
  /// Names from outside become variables; with the model, the entity that is named decides what members mean.
  /// - Parameter entity: the entity of the predicate, if the caller knows it.
  /// - Throws: all mistakes of the text, in its order.
  public init(swift text: String, in model: Model? = nil, of entity: Entity? = nil) throws(SwiftReadingError) {
    let reader = try SourceReader.reading(text, in: model, of: entity)
    if !reader.properties.isEmpty, let request = try reader.onlyRequest() {
      self = request.predicate ?? .constant(true)
      return
    }
    if let found = reader.predicate ?? reader.declaredPredicate {
      try reader.requireOnePredicate()
      self = found.predicate
      return
    }
    guard let request = try reader.onlyRequest() else {
      throw SwiftReadingError(issues: [SwiftReadingError.Issue(.noPredicate, at: reader.whole)])
    }
    self = request.predicate ?? .constant(true)
  }
}

extension FetchRequest {
  /// Reads a request from Swift source: a property with `@FetchRequest`, `@SectionedFetchRequest` or `@Query`, or
  /// statements that make a `FetchDescriptor` or an `NSFetchRequest`.
  ///
  ///     try FetchRequest(swift: "@Query(sort: \\Quake.time, order: .reverse) var quakes: [Quake]", in: model)
  ///
  /// - Parameter name: the name of the property, function or constant to read, where the text has several.
  /// - Throws: all mistakes of the text, in its order.
  public init(swift text: String, in model: Model, named name: String? = nil) throws(SwiftReadingError) {
    let reader = try SourceReader.reading(text, in: model, of: nil)
    if let name {
      self = try reader.request(named: name)
      return
    }
    if let found = try reader.onlyRequest() {
      self = found
      return
    }
    if let (name, place) = reader.undeclaredResults {
      throw SwiftReadingError(issues: [SwiftReadingError.Issue(.undeclaredRequest(name), at: reader.origin(place))])
    }
    // A predicate of a known entity is a request too.
    if let found = reader.predicate ?? reader.declaredPredicate, let entity = found.entity {
      self.init(entity)
      predicate = found.predicate
      return
    }
    throw SwiftReadingError(issues: [SwiftReadingError.Issue(.noRequest, at: reader.whole)])
  }
}

extension SourceReader {
  /// Reads a text from its beginning to its end.
  static func reading(
    _ text: String, in model: Model?, of entity: Entity?
  ) throws(SwiftReadingError) -> SourceReader {
    var parser = SwiftParser(text)
    let statements = parser.parse()
    var reader = SourceReader(text, model: model, entity: entity, issues: parser.issues)
    reader.read(statements)
    try reader.issues.throwAll()
    return reader
  }

  /// The request that a name was given.
  fileprivate func request(named name: String) throws(SwiftReadingError) -> FetchRequest {
    if let property = properties.last(where: { $0.name == name }) { return property.request }
    if case .request(let found)? = constants[name] { return found }
    let declared = constants.names.filter { if case .request? = constants[$0] { true } else { false } }
    let known = requestNames + declared.sorted()
    throw SwiftReadingError(issues: [
      SwiftReadingError.Issue(.unknownRequest(name, nearest: nearestName(to: name, in: known)), at: whole)
    ])
  }

  /// The request that the text declares; nil for none.
  fileprivate func onlyRequest() throws(SwiftReadingError) -> FetchRequest? {
    guard requestNames.count <= 1 else {
      throw SwiftReadingError(issues: [SwiftReadingError.Issue(.severalRequests(requestNames), at: whole)])
    }
    return properties.last?.request ?? request ?? declaredRequest
  }

  /// Requires that one predicate is what the text is about: others must be parts of it.
  fileprivate func requireOnePredicate() throws(SwiftReadingError) {
    var names = lonePredicates.map { source($0) }
    // A single statement is the result, regardless of the declarations before it.
    if names.isEmpty {
      let counts = wordCounts
      for name in Set(namedPredicates).sorted() where counts[name, default: 0] <= 1 { names.append(name) }
    }
    guard names.count > 1 else { return }
    throw SwiftReadingError(issues: [SwiftReadingError.Issue(.severalPredicates(names), at: whole)])
  }

  /// How often each word stands in the text.
  private var wordCounts: [String: Int] {
    func isPart(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || byte >= 0x80 || byte.isDecimalDigit || (0x61...0x7A).contains(byte | 0x20)
    }
    var counts: [String: Int] = [:]
    for word in bytes.split(whereSeparator: { !isPart($0) }) {
      counts[String(decoding: word, as: UTF8.self), default: 0] += 1
    }
    return counts
  }

  /// The first line of the text that has something in it.
  var whole: Origin {
    let start = bytes.firstIndex { $0 > 0x20 } ?? 0
    let end = bytes[start...].firstIndex { $0 == 0x0A } ?? bytes.count
    return origin(start..<end)
  }
}
