internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Session

/// What the engine has to say about the predicate of a page, beside its line.
struct InspectionView {
  /// What can be shown, in the order of its links; the address names it.
  enum Part: String, CaseIterable {
    case clauses, plan, check, swift

    var title: String { self == .swift ? "Swift" : rawValue }
  }

  private let asked: AskedRows
  private let store: PageStore

  /// The seconds that one part may take.
  private static let longest = 2.0

  init(_ asked: AskedRows, in store: PageStore) { (self.asked, self.store) = (asked, store) }

  /// Links that show or hide each part, and the parts that are shown.
  var html: HTML {
    guard asked.typed != nil else { return .nothing }
    let links = Part.allCases.flatMap { part -> [HTML] in
      let isShown = asked.address.inspections.contains(part)
      return [
        .tag("a", ["href": toggled(part).text(), "aria-current": isShown ? "true" : nil], part.title), .text(" · "),
      ]
    }
    return .group(
      [.tag("p", ["class": "inspect"], Array(links.dropLast()))]
        + Part.allCases.filter(asked.address.inspections.contains).map { part in
          .tag("section", ["class": "inspection"], [.tag("h2", [:], part.title), .tag("pre", [:], text(of: part))])
        })
  }

  private func toggled(_ part: Part) -> RowsAddress {
    asked.address.changed { next in
      if next.inspections.contains(part) {
        next.inspections.removeAll { $0 == part }
      } else {
        next.inspections.append(part)
      }
    }
  }

  /// The text of a part, or why there is none.
  private func text(of part: Part) -> String {
    let inspection = PredicateInspection(store.session, asked.entity)
    do {
      return try store.reading(seconds: Self.longest) {
        switch part {
        case .clauses: try inspection.clauseCounts(asked.typed)
        case .plan: try inspection.explanation(asked.request)
        case .check: try inspection.refusals(asked.typed)
        case .swift:
          try ["macro", "nspredicate"].map { try inspection.swift(asked.request, form: $0) }.joined(separator: "\n")
        }
      }
    } catch { return (error as? PageProblem)?.sentence ?? store.sentence(of: error) }
  }

  /// Each clause of a predicate with its value for an object; nil for a text that is no predicate.
  static func reasons(_ text: String, _ object: ManagedObject, in store: PageStore) -> HTML? {
    let meaning = PredicateReading(text, object.entity, values: nil, store.session.engine)
    guard case .predicate(let predicate) = meaning,
      let reasons = try? store.reading(
        seconds: longest,
        {
          try PredicateInspection(store.session, object.entity).reasons(predicate, object)
        })
    else { return nil }
    return .tag("section", ["class": "inspection"], [.tag("h2", [:], "Why"), .tag("pre", [:], reasons)])
  }
}
