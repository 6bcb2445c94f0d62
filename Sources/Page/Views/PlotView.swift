internal import Modeling
internal import Session

/// Plots of the rows of a page, as pictures that are read again when rows change.
struct PlotView {
  private let asked: AskedRows
  private let store: PageStore

  init(_ asked: AskedRows, in store: PageStore) { (self.asked, self.store) = (asked, store) }

  /// A link that draws the values of a column; nothing for a column without an order.
  static func link(_ name: String, _ property: Property, _ address: RowsAddress) -> HTML {
    guard let type = property.attribute?.type, type.isNumeric || type == .date || type == .string || type == .boolean
    else { return .nothing }
    var next = address
    if next.plots.contains(name) { next.plots.removeAll { $0 == name } } else { next.plots.append(name) }
    return .group([.tag("a", ["href": next.text(), "class": "plots"], "plot"), .text(" ")])
  }

  var html: HTML {
    let pictures = asked.address.plots.map { plot -> HTML in
      var address = asked.address
      (address.plots, address.facets, address.inspections, address.since, address.first) = ([plot], [], [], nil, 1)
      var rest = asked.address
      rest.plots.removeAll { $0 == plot }
      return .tag(
        "figure", [:],
        [
          .tag("img", ["src": address.text(.svg), "alt": "Plot of \(plot)"]),
          .tag(
            "figcaption", [:],
            [.text(plot + " "), .tag("a", ["href": rest.text(), "aria-label": "Close the plot of \(plot)"], "×")]),
        ])
    }
    return pictures.isEmpty ? .nothing : .tag("div", ["id": "plots"], pictures)
  }

  /// The first plot of the address as a document.
  func svg() throws -> String {
    let channels = (asked.address.plots.first ?? "").split(separator: ",", maxSplits: 1).map(String.init)
    guard let x = channels.first else { throw PageProblem.noFormat(.svg) }
    let inspection = PredicateInspection(store.session, asked.entity)
    let text = try store.reading {
      try inspection.svg(ofPlotting: asked.request, x: x, y: channels.count > 1 ? channels[1] : nil)
    }
    guard let text else { throw PageProblem.noFormat(.svg) }
    return text
  }
}
