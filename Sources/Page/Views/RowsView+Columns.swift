internal import HTTP
internal import Modeling
internal import Presentation
internal import Session

// The head of the table: each column sorts, counts its values and makes sections.
extension RowsView {
  var heads: [HTML] {
    asked.columns.columns.enumerated().map { place, column in
      let direction =
        address.sort.first == column.name
        ? "ascending"
        : address.sort.first == "-" + column.name
          ? "descending" : nil
      let mark = direction == "ascending" ? " ▲" : direction == "descending" ? " ▼" : ""
      let canSort = !asked.columns.isFunction(at: place) && column.role != .toOne
      let title: HTML = canSort ? .link(.rows(sorted(by: column.name)), column.name + mark) : .text(column.name)
      let index = asked.columns.property(at: place)
      let canCount = column.role != .toMany && index.map { Self.hasFacet(asked.entity.properties[$0]) } ?? false
      let facet: HTML =
        canCount
        ? .tag(
          "a", ["href": facetAddress(column.name).text(), "class": "facet", "title": "The values of \(column.name)"],
          "≡")
        : .nothing
      let canSection = canSort && canCount && index.map { asked.entity.properties[$0].attribute != nil } ?? false
      let sections: HTML =
        canSection
        ? .tag(
          "a",
          [
            "href": sectionAddress(column.name).text(), "class": "sections",
            "title": address.sections == column.name ? "No sections" : "Sections by \(column.name)",
          ], "§") : .nothing
      return .tag(
        "th",
        [
          "scope": "col", "aria-sort": direction, "data-column": column.name,
          "class": column.alignment == .trailing ? "number" : nil,
        ], [title, facet, sections])
    }
  }

  /// A form with the columns that can be shown.
  var columnChoice: HTML {
    let shown = asked.columns.columns.map(\.name)
    let properties = asked.entity.properties.map(\.name)
    let boxes = (properties + shown.filter { !properties.contains($0) }).map { name -> HTML in
      .tag(
        "label", [:],
        [
          .tag(
            "input",
            ["type": "checkbox", "name": "column", "value": name, "checked": shown.contains(name) ? "" : nil]),
          .text(" " + name),
        ])
    }
    let hidden = address.fields.filter { $0.name != "column" && $0.name != "row" }.map {
      HTML.hidden($0.name, $0.value)
    }
    return .tag(
      "details", ["class": "choice"],
      [
        .tag("summary", [:], "columns"),
        .tag(
          "form", ["action": "/" + URLText.encoded(address.entity)],
          hidden + boxes + [.tag("button", [:], "Show")]),
      ])
  }

  /// Whether counting the values of a property tells anything.
  private static func hasFacet(_ property: Property) -> Bool {
    !property.isTransient && property.attribute?.isUnique != true
  }

  /// Sorted by a column; the second time the other way, the third as it was before.
  private func sorted(by name: String) -> RowsAddress {
    address.changed { next in
      let rest = address.sort.filter { $0 != name && $0 != "-" + name }
      switch address.sort.first {
      case name: next.sort = ["-" + name] + rest
      case "-" + name: next.sort = rest
      default: next.sort = [name] + rest
      }
    }
  }

  private func facetAddress(_ name: String) -> RowsAddress {
    var next = address
    if next.facets.contains(name) { next.facets.removeAll { $0 == name } } else { next.facets.append(name) }
    return next
  }

  /// The same rows in sections by a column, all folded; without sections where it makes them already.
  private func sectionAddress(_ name: String) -> RowsAddress {
    address.changed { next in
      (next.sections, next.folding) = (next.sections == name ? "" : name, SectionFolding())
      next.folding.areFolded = !next.sections.isEmpty
    }
  }
}
