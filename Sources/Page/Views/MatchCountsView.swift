internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries

/// How many objects fulfil a predicate, how many do not, and for how many it is neither because a value is nil.
struct MatchCountsView {
  private let asked: AskedRows
  private let store: PageStore

  init(_ asked: AskedRows, in store: PageStore) { (self.asked, self.store) = (asked, store) }

  func html() throws -> HTML {
    guard let typed = asked.typed else { return .nothing }
    let context = try store.context()
    func count(_ predicate: Predicate?) throws -> Int {
      var request = FetchRequest(asked.entity)
      let parts = [asked.lead, predicate].compactMap(\.self)
      request.predicate = parts.count > 1 ? .and(parts) : parts.first
      return try context.count(request)
    }
    let counts = try store.reading(seconds: 2) {
      (yes: try count(typed), no: try count(.not(typed)), all: try count(nil))
    }
    let neither = max(counts.all - counts.yes - counts.no, 0)
    func part(_ count: Int, _ word: String) -> HTML {
      .tag("span", ["class": word], "\(Quantity.grouped(count)) \(word)")
    }
    var parts = [part(counts.yes, "yes"), .text(" · "), part(counts.no, "no")]
    if neither > 0 { parts += [.text(" · "), part(neither, "neither")] }
    parts.append(.text(" of \(Quantity.grouped(counts.all))"))
    return .tag("p", ["class": "counts"], parts)
  }
}
