/// Takes what is around the rows out of a JSON text that is one object, such as GeoJSON or the answer of a service.
///
/// Spaces take its place, so that errors keep their lines and columns. The rows of GeoJSON are its features, with their
/// properties, `id` and `geometry`; otherwise they are the elements of the first array of objects, at most three objects deep.
///
///     {"count": 2, "items": [{"a": 1}, {"a": 2}]}      becomes                       [{"a": 1}, {"a": 2}]
package struct WrappedRows {
  /// The text with spaces around the rows.
  package private(set) var bytes: [UInt8]

  private typealias Member = (key: Range<Int>, value: Range<Int>)

  /// Finds the rows; nil where the text is no object, or has other texts behind it, as lines of objects have.
  package init?(_ text: [UInt8]) {
    bytes = text
    let start = skippingSpace(text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    guard start < bytes.count, bytes[start] == UInt8(ascii: "{"), let end = end(of: start),
      skippingSpace(end) == bytes.count
    else { return nil }
    let members = members(start..<end)
    if isText("Feature", in: members, named: "type") {
      flatten(start..<end)
    } else if let rows = features(members) ?? rows(members, depth: 3) {
      let areFeatures = features(members) != nil
      blank(0..<rows.lowerBound)
      blank(rows.upperBound..<bytes.count)
      if areFeatures { for element in elements(rows) { flatten(element) } }
      return
    }
    // One object over several lines is one row of an array.
    guard start > 0 || end < bytes.count || bytes.contains(10) else { return }
    bytes.insert(UInt8(ascii: "["), at: start)
    bytes.insert(UInt8(ascii: "]"), at: end + 1)
  }

  /// Whether a text that begins so may be one object, rather than lines of objects.
  package static func mayBegin(_ head: [UInt8]) -> Bool {
    let text = WrappedRows(bytes: head)
    let start = text.skippingSpace(head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    guard start < head.count, head[start] == UInt8(ascii: "{") else { return false }
    return text.end(of: start).map { text.skippingSpace($0) == head.count } ?? true
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// The array of the features of GeoJSON.
  private func features(_ members: [Member]) -> Range<Int>? {
    guard isText("FeatureCollection", in: members, named: "type") else { return nil }
    return members.first { bytes[$0.key].elementsEqual("\"features\"".utf8) }?.value
  }

  /// The first array of objects among members, or in the objects that are members.
  private func rows(_ members: [Member], depth: Int) -> Range<Int>? {
    if depth == 0 { return nil }
    for member in members where bytes[member.value.lowerBound] == UInt8(ascii: "[") {
      let first = skippingSpace(member.value.lowerBound + 1)
      if first < member.value.upperBound, bytes[first] == UInt8(ascii: "{") { return member.value }
    }
    return members.lazy.filter { bytes[$0.value.lowerBound] == UInt8(ascii: "{") }.compactMap {
      rows(self.members($0.value), depth: depth - 1)
    }.first
  }

  /// Takes the properties of a feature out of their object, and leaves of the rest what belongs to a row.
  private mutating func flatten(_ feature: Range<Int>) {
    guard bytes[feature.lowerBound] == UInt8(ascii: "{") else { return }
    let members = members(feature)
    var isFirst = true
    var last = feature.lowerBound + 1
    for member in members {
      let key = String(decoding: bytes[member.key], as: UTF8.self)
      // Between two members there is a comma, and room for one before the first.
      let gap = last..<member.key.lowerBound
      let comma = bytes[gap].firstIndex(of: UInt8(ascii: ","))
      last = member.value.upperBound
      blank(gap)
      let isObject = bytes[member.value.lowerBound] == UInt8(ascii: "{")
      let hasFields = isObject && !self.members(member.value).isEmpty
      if key == "\"properties\"", hasFields {
        blank(member.key.lowerBound..<(member.value.lowerBound + 1))
        bytes[member.value.upperBound - 1] = UInt8(ascii: " ")
      } else if !["\"id\"", "\"geometry\""].contains(key) {
        blank(member.key.lowerBound..<member.value.upperBound)
        continue
      }
      if !isFirst, let comma { bytes[comma] = UInt8(ascii: ",") }
      isFirst = false
    }
  }

  private mutating func blank(_ range: Range<Int>) {
    for index in range where bytes[index] != 10 && bytes[index] != 13 { bytes[index] = UInt8(ascii: " ") }
  }

  // MARK: Reading

  private func isText(_ text: String, in members: [Member], named name: String) -> Bool {
    members.contains {
      bytes[$0.key].elementsEqual("\"\(name)\"".utf8) && bytes[$0.value].elementsEqual("\"\(text)\"".utf8)
    }
  }

  /// The members of the object in a range; those up to the first mistake, which the reader of rows reports.
  private func members(_ object: Range<Int>) -> [Member] {
    var members: [Member] = []
    var place = skippingSpace(object.lowerBound + 1)
    while place < object.upperBound - 1, let keyEnd = end(of: place) {
      let colon = skippingSpace(keyEnd)
      guard colon < object.upperBound, bytes[colon] == UInt8(ascii: ":") else { break }
      let start = skippingSpace(colon + 1)
      guard let end = end(of: start) else { break }
      members.append((place..<keyEnd, start..<end))
      place = skippingSpace(end)
      guard place < object.upperBound, bytes[place] == UInt8(ascii: ",") else { break }
      place = skippingSpace(place + 1)
    }
    return members
  }

  private func elements(_ array: Range<Int>) -> [Range<Int>] {
    var elements: [Range<Int>] = []
    var place = skippingSpace(array.lowerBound + 1)
    while place < array.upperBound - 1, let end = end(of: place) {
      elements.append(place..<end)
      place = skippingSpace(end)
      guard bytes[place] == UInt8(ascii: ",") else { break }
      place = skippingSpace(place + 1)
    }
    return elements
  }

  private func skippingSpace(_ start: Int) -> Int {
    var place = start
    while place < bytes.count, [9, 10, 13, 32].contains(bytes[place]) { place += 1 }
    return place
  }

  /// Where the value ends that begins at a place; nil where it does not.
  private func end(of start: Int) -> Int? {
    var depth = 0
    var place = start
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        guard let end = endOfText(place) else { return nil }
        place = end
        if depth == 0 { return place }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return place > start ? place : nil }
        depth -= 1
        if depth == 0 { return place + 1 }
      case UInt8(ascii: ","), 9, 10, 13, 32, UInt8(ascii: ":"):
        if depth == 0 { return place > start ? place : nil }
      default: break
      }
      place += 1
    }
    return depth == 0 && place > start ? place : nil
  }

  private func endOfText(_ start: Int) -> Int? {
    var place = start + 1
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "\"") { return place + 1 }
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }
}
