internal import Modeling
package import Transfer

/// Which objects a subset has, and why, in words.
package struct SubsetText {
  private let options: SubsetOptions

  /// `options` are those of the subset.
  package init(_ options: SubsetOptions) { self.options = options }

  /// `240 Report: followed by Quake.reports`
  package func line(of share: Subset.Share) -> String {
    "\(Quantity.grouped(share.count)) \(share.entity): \(reason(share.reason))"
  }

  /// `31 Station by Quake.stations`
  package func line(of candidate: Subset.Candidate) -> String {
    "\(Quantity.grouped(candidate.count)) \(candidate.entity) by \(candidate.relationship)"
  }

  package func reason(_ reason: Subset.Reason) -> String {
    switch reason {
    case .request(let index):
      let asked = options.from.isEmpty ? "all" : options.from[index].predicate.map(String.init(describing:)) ?? "all"
      return options.sample < 1 ? "\(asked), a sample of \(options.sample)" : asked
    case .follow(let name): return "\(name) is followed"
    case .mandatory(let name): return "\(name) is mandatory"
    case .minimum(let name, let count): return "\(name) needs \(count)"
    }
  }
}
