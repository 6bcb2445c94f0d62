internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session

/// A place on the way through a store: the request whose objects are shown, and where among them one is.
struct BrowseStep {
  var request: FetchRequest
  /// The predicate in the words that were typed, part by part, and the texts that were searched for.
  private var words: (conditions: [String], searches: [String])
  /// Whether all sections are folded as soon as they are known.
  var foldsAll = false
  /// The line, the column, and what is not shown.
  var place = TablePlace()
  /// The object on the line, which it is found by when the rows have been read again.
  var selectedID: ObjectID?

  var entity: Entity { request.entity }

  init(_ request: FetchRequest) {
    self.request = request
    words = (request.predicate.map { [$0.description] } ?? [], [])
  }

  /// The objects that a relationship of an object leads to.
  ///
  /// - Throws: StoreError.
  init(_ object: ManagedObject, along index: Int) throws { self.init(try object.request(along: index)) }

  // MARK: Narrowing

  /// Leaves the objects that a condition fulfils, too; `search` is the text of one that a search made.
  mutating func narrow(to condition: Predicate, search: String? = nil) {
    request.predicate = request.predicate.map { $0 & condition } ?? condition
    if let search { words.searches.append(search) } else { words.conditions.append(condition.description) }
    goToTop()
  }

  /// Selects what a predicate does that was typed as `text`.
  mutating func select(_ predicate: Predicate?, typed text: String) {
    request.predicate = predicate
    words = (predicate == nil ? [] : [text], [])
    goToTop()
  }

  /// The predicate, as it is typed.
  var predicateText: String {
    if !words.searches.isEmpty { return request.predicate?.description ?? "" }
    let isAlone = words.conditions.count == 1
    return words.conditions.map { isAlone || !$0.uppercased().contains(" OR ") ? $0 : "(\($0))" }
      .joined(separator: " AND ")
  }

  /// What is selected, for the title: `where magnitude > 5`, `search suva`.
  var wording: [String] {
    var conditions = self
    conditions.words.searches = []
    let text = conditions.predicateText
    return (text.isEmpty ? [] : ["where \(text)"]) + words.searches.map { "search \($0)" }
  }

  /// Moves to the first line.
  private mutating func goToTop() {
    place.goToTop()
    selectedID = nil
  }

  /// Shows the objects in sections by an expression, all folded; nil ends that.
  mutating func section(by expression: Queries.Expression?) {
    request.sectionIdentifier = expression
    request.sectionFunction = nil
    (place.folded, foldsAll) = ([], expression != nil)
    goToTop()
  }

  /// What one attribute being a value says as a condition.
  static func condition(_ name: String, _ value: Value) -> Predicate {
    .comparison(Comparison(.path(PropertyPath([name])), .equal, .constant(value)))
  }

  /// What a text in any cell that is shown says as a condition; nil where no cell can have it.
  ///
  /// Texts and the names of to-ones contain it, numbers are equal to it, and dates lie within the day that it is.
  func condition(contains text: String) -> Predicate? {
    let conditions = entity.properties.indices.compactMap { index -> Predicate? in
      let property = entity.properties[index]
      guard !property.isTransient, !place.hidden.contains(property.name) else { return nil }
      if let relationship = property.relationship {
        let destination = entity.destination(at: index)
        guard !relationship.isToMany, let title = destination.titleAttribute else { return nil }
        let attribute = destination.properties[title]
        return Self.condition([property.name, attribute.name], attribute.attribute, contains: text)
      }
      return Self.condition([property.name], property.attribute, contains: text)
    }
    return conditions.count > 1 ? .or(conditions) : conditions.first
  }

  private static func condition(_ path: [String], _ attribute: Attribute?, contains text: String) -> Predicate? {
    guard let attribute else { return nil }
    let path = Queries.Expression.path(PropertyPath(path))
    if attribute.type == .string {
      return .comparison(
        Comparison(
          path, .contains, .constant(.string(text)), options: [.caseInsensitive, .diacriticInsensitive]))
    }
    let isDate = attribute.type == .date
    guard isDate || attribute.type.isNumeric || attribute.type == .uuid,
      // A number is no date here, as it would be in a file.
      !isDate || Double(text) == nil,
      let value = try? CellField.value(text, of: attribute), !value.isNull
    else { return nil }
    guard case .date(let day) = value else { return .comparison(Comparison(path, .equal, .constant(value))) }
    let seconds = 86_400.0
    let start = (day.seconds / seconds).rounded(.down) * seconds
    return .and([
      .comparison(Comparison(path, .greaterOrEqual, .constant(.date(Timestamp(start))))),
      .comparison(Comparison(path, .less, .constant(.date(Timestamp(start + seconds))))),
    ])
  }

  /// Sorts by an expression; the second time the other way, the third as it was before.
  mutating func sort(by key: Queries.Expression) {
    let rest = request.sortDescriptors.filter { $0.expression != key }
    request.sortDescriptors = request.sortDescriptors.turned(by: key, original: rest)
    goToTop()
  }

  // MARK: As code

  /// The line of Lua that makes the request; nil where it names objects, which have no words.
  func line(_ charset: Charset) -> String? {
    func literal(_ text: String) -> String { QuotedString.literal(Array(text.utf8), charset) }
    var condition: String?
    if let predicate = request.predicate {
      let text = predicate.description
      guard let read = try? Predicate.parse(text), read.description == text, !Self.namesObjects(predicate) else {
        return nil
      }
      condition = literal(text)
    }
    // A function of the script has no words.
    if request.sectionFunction != nil { return nil }
    let keys = request.sortDescriptors.map { literal(($0.isAscending ? "" : "-") + $0.expression.description) }
    if let section = request.sectionIdentifier { return sectionedLine(section, condition, keys, charset) }
    var line = entity.name + (condition.map { ":where " + $0 } ?? ":all()")
    if !keys.isEmpty { line += ":sorted(\(keys.joined(separator: ", ")))" }
    if let limit = request.fetchLimit { line += ":limit(\(limit))" }
    if request.fetchOffset > 0 { line += ":offset(\(request.fetchOffset))" }
    return line
  }

  /// `SectionedFetchRequest { entity = Quake, predicate = "magnitude > 5", sectionIdentifier = "place" }`
  private func sectionedLine(_ section: Queries.Expression, _ predicate: String?, _ keys: [String], _ charset: Charset)
    -> String
  {
    var options = ["entity = \(entity.name)"]
    if let predicate { options.append("predicate = \(predicate)") }
    options.append("sectionIdentifier = \(QuotedString.literal(Array(section.description.utf8), charset))")
    if !keys.isEmpty { options.append("sortDescriptors = { \(keys.joined(separator: ", ")) }") }
    if let limit = request.fetchLimit { options.append("fetchLimit = \(limit)") }
    if request.fetchOffset > 0 { options.append("fetchOffset = \(request.fetchOffset)") }
    return "SectionedFetchRequest { \(options.joined(separator: ", ")) }"
  }

  private static func namesObjects(_ predicate: Predicate) -> Bool {
    switch predicate {
    case .and(let parts), .or(let parts): parts.contains(where: namesObjects)
    case .not(let part): namesObjects(part)
    case .comparison(let comparison): isObject(comparison.left) || isObject(comparison.right)
    case .constant, .expression: false
    }
  }

  private static func isObject(_ expression: Queries.Expression) -> Bool {
    switch expression {
    case .constant(.object), .argument(.object, _): true
    case .aggregate(let parts): parts.contains(where: isObject)
    default: false
    }
  }
}
