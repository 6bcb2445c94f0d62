/// Groups rows by their sections.
enum SectionOrder {
  /// The indices of rows with these sections, each section contiguous and in the position of its first row.
  static func wholeSections(_ sections: [SectionIdentity]) -> [Int] {
    var ranks: [SectionIdentity: Int] = [:]
    var isTorn = false
    let rank = sections.enumerated().map { place, id in
      if let known = ranks[id] {
        if sections[place - 1] != id { isTorn = true }
        return known
      }
      ranks[id] = ranks.count
      return ranks.count - 1
    }
    guard isTorn else { return Array(sections.indices) }
    return sections.indices.sorted { (rank[$0], $0) < (rank[$1], $1) }
  }
}
