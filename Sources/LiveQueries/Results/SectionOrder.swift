/// Puts rows in order by their sections.
enum SectionOrder {
  /// The places of rows with these sections, each section whole where its first row stands.
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
