internal import Modeling
internal import Queries

// Fetch requests and indexes.
extension ModelArchiveReader {
  mutating func template(_ object: ArchivedObject, entity: String?, place: String) -> FetchRequestTemplate {
    let name = object.object("NSEntity")?.text("NSEntityName") ?? object.text("NSEntityName") ?? entity
    var template = FetchRequestTemplate(name ?? "")
    if case .object = object["NSPredicate"] {
      do {
        template.predicate = try ArchivedPredicateText.predicate(object["NSPredicate"])
      } catch {
        assembly.note("\(place): the predicate is left out: \(error.note)")
      }
    }
    for case .object(let descriptor) in object.elements("NSSortDescriptors") {
      readSort(descriptor, into: &template, place: place)
    }
    template.fetchLimit = count(object, "NSFetchLimit")
    template.fetchOffset = count(object, "NSFetchOffset") ?? 0
    template.fetchBatchSize = count(object, "NSBatchSize") ?? 0
    readFlags(object, into: &template)
    for field in ["NSValuesToFetch", "NSValuesToGroupBy", "NSHavingPredicate", "NSRelationshipKeyPathsForPrefetching"] {
      if case .object = object[field] { assembly.note("\(place): \(field.dropFirst(2)) is left out") }
    }
    return template
  }

  private func count(_ object: ArchivedObject, _ field: String) -> Int? {
    guard let number = object.integer(field), number > 0 else { return nil }
    return Int(exactly: number)
  }

  private mutating func readSort(_ object: ArchivedObject, into template: inout FetchRequestTemplate, place: String) {
    guard let key = object.text("NSKey"), let path = try? CanonicalFormat.expression(key) else {
      assembly.note("\(place): a sort descriptor is left out")
      return
    }
    template.sortDescriptors.append((object.flag("NSAscending") ? "" : "-") + path)
    if let selector = object.text("NSSelector"), selector != "compare:" {
      assembly.note("\(place): it is sorted by \(key) without \(selector)")
    }
  }

  private func readFlags(_ object: ArchivedObject, into template: inout FetchRequestTemplate) {
    let types: [Int64: FetchResultType] = [0: .objects, 1: .objectIDs, 2: .dictionaries, 4: .count]
    template.resultType = types[object.integer("NSResultType") ?? 0] ?? .objects
    guard let flags = object.integer("NSFetchRequestFlags"), object.flag("NSHasFetchRequestFlags") else { return }
    template.returnsDistinctResults = flags & 1 != 0
    template.includesSubentities = flags & 2 != 0
    template.includesPropertyValues = flags & 4 != 0
    template.returnsObjectsAsFaults = flags & 8 != 0
  }

  mutating func fetchIndex(_ object: ArchivedObject, place: String) -> FetchIndex {
    var index = FetchIndex([])
    index.name = object.text("NSIndexName")
    for case .object(let part) in object.elements("NSIndexElements") {
      guard let expression = indexed(part, place: place) else { continue }
      var element = FetchIndex.Element(expression)
      element.isAscending = part.has("NSAscending") ? part.flag("NSAscending") : true
      element.isRTree = part.integer("NSFetchIndexElementType") == 1
      index.elements.append(element)
    }
    if case .object = object["NSPartialIndexPredicate"] {
      do {
        index.predicate = try ArchivedPredicateText.predicate(object["NSPartialIndexPredicate"])
      } catch {
        assembly.note("\(place): the condition of the index \(index.name ?? "") is left out: \(error.note)")
      }
    }
    return index
  }

  /// The property's name, or the expression that stands in its place.
  private mutating func indexed(_ part: ArchivedObject, place: String) -> String? {
    let expressions = part.fieldNames.compactMap { part.object($0) }.map { $0.object("NSExpression") ?? $0 }
    if let expression = expressions.first(where: { $0.isKind(of: "NSExpression") }) {
      do {
        return try ArchivedPredicateText.expression(.object(expression))
      } catch {
        assembly.note("\(place): a part of an index is left out: \(error.note)")
        return nil
      }
    }
    return part.text("NSPropertyName") ?? part.object("NSProperty")?.described.text("NSPropertyName")
  }
}
