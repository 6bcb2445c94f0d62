internal import Modeling

// Fetch requests and indexes.
extension ModelDocumentReader {
  mutating func template(_ element: MarkupElement, place: String) -> FetchRequestTemplate {
    var template = FetchRequestTemplate(element["entity"] ?? "")
    if let text = element["predicateString"], !text.isEmpty { template.predicate = condition(text, place: place) }
    template.fetchLimit = count(element["fetchLimit"])
    template.fetchBatchSize = count(element["fetchBatchSize"]) ?? 0
    let types: [String: FetchResultType] = ["0": .objects, "1": .objectIDs, "2": .dictionaries, "4": .count]
    template.resultType = types[element["resultType"] ?? "0"] ?? .objects
    template.includesSubentities = element.flag("includeSubentities", default: true)
    template.includesPropertyValues = element.flag("includePropertyValues", default: true)
    template.returnsObjectsAsFaults = element.flag("returnObjectsAsFaults", default: true)
    template.returnsDistinctResults = element.flag("returnDistinctResults")
    return template
  }

  private func count(_ text: String?) -> Int? {
    guard let number = text.flatMap({ Int($0) }), number > 0 else { return nil }
    return number
  }

  /// The text as it is printed here; text that is not understood stays as it is, so that users see it.
  private mutating func condition(_ text: String, place: String) -> String {
    do {
      return try CanonicalFormat.predicate(text)
    } catch {
      assembly.note("\(place): the predicate is not understood: \(text)")
      return text
    }
  }

  mutating func fetchIndex(_ element: MarkupElement, place: String) -> FetchIndex {
    var index = FetchIndex([])
    index.name = element["name"]
    for part in element.children(named: "fetchIndexElement") {
      guard let text = part["property"] ?? part["expression"] else { continue }
      let expression = part["property"] == nil ? (try? CanonicalFormat.expression(text)) ?? text : text
      var indexed = FetchIndex.Element(expression)
      indexed.isAscending = part["order"]?.lowercased() != "descending"
      indexed.isRTree = part["type"]?.lowercased() == "rtree"
      index.elements.append(indexed)
    }
    if let text = element["partialIndexPredicate"] ?? element["predicateString"], !text.isEmpty {
      index.predicate = condition(text, place: "\(place): the index \(index.name ?? "")")
    }
    return index
  }
}
