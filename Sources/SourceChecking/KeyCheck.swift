internal import Modeling
internal import Queries
internal import SwiftReading

/// Checks a key path of a sort descriptor, a column or a value.
struct KeyCheck {
  private(set) var findings: [SourceFinding] = []

  /// Checks a key path that stands as a text.
  init(_ text: PlacedText, _ use: SourceSite.Use, _ subject: SourceChecker.Subject?) {
    let names = text.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !names.contains(where: { $0.isEmpty || $0.hasPrefix("@") || $0 == "self" }) else { return }
    var start = 0
    var ranges: [Range<Int>] = []
    for name in names {
      ranges.append(text.source(start..<start + name.utf8.count))
      start += name.utf8.count + 1
    }
    check(names, use, subject) { ranges[$0] }
  }

  /// Checks `\Item.place.name`, which stands at a range.
  init(_ names: [String], _ range: Range<Int>, _ use: SourceSite.Use, _ subject: SourceChecker.Subject?) {
    // The compiler checks it for the class of Core Data, which may give a property another name than its key.
    guard subject?.isSwiftData == true else { return }
    check(names, use, subject) { _ in range }
  }

  private mutating func check(
    _ names: [String], _ use: SourceSite.Use, _ subject: SourceChecker.Subject?, _ place: (Int) -> Range<Int>
  ) {
    guard let subject, !Known.virtualKeys.contains(names[0]) else { return }
    let path = PropertyPath(names)
    if let missing = missingKey(names, subject.entity) {
      if subject.isElsewhere(names[missing.index], nearest: missing.nearest) { return }
      findings.append(
        SourceFinding(
          fact: .key(names[missing.index], entity: missing.entity, nearest: missing.nearest), severity: .error,
          range: place(missing.index)))
      return
    }
    guard use == .order else { return }
    let order = SortDescriptor(.path(path))
    findings += Refusals(subject, subject.isSwiftData ? .swiftData : .sqlite).findings(order) { _ in
      place(0).lowerBound..<place(names.count - 1).upperBound
    }
  }

  /// The first key that an entity on the way does not have.
  private func missingKey(_ names: [String], _ entity: Entity) -> (index: Int, entity: String, nearest: String?)? {
    var owner: Entity? = entity
    for (index, name) in names.enumerated() {
      // Behind an attribute there are elements, or keys of its class.
      guard let current = owner else { return nil }
      guard let property = current.properties.first(where: { $0.name == name }) else {
        if Known.virtualKeys.contains(name) { return nil }
        return (index, current.name, nearestName(to: name, in: current.properties.map(\.name)))
      }
      owner = property.relationship.flatMap { relationship in
        current.root.family.first { $0.name == relationship.destination } ?? destination(of: name, current)
      }
      if index < names.count - 1, owner == nil { return nil }
    }
    return nil
  }

  private func destination(of name: String, _ entity: Entity) -> Entity? {
    (try? PropertyPath([name]).resolve(in: entity))?.hops.last?.destination
  }
}
