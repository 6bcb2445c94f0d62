internal import HTTP

/// What a page shows, as its address says it.
///
///     /                                                  the entities
///     /Quake?where=magnitude+%3E+5&sort=-magnitude       rows
///     /Quake?key=5                                       an object
///     /-/edit?entity=Quake&key=5&property=place          a form
enum PageAddress: Equatable {
  case entities
  case rows(RowsAddress)
  case object(ObjectAddress)
  /// A file of the notebook.
  case notebook(String)
  /// The unsaved changes.
  case changes
  /// The form for a property of an object.
  case property(ObjectAddress, String)
  /// What a text leads to.
  case jump(String)
  /// Help on a name.
  case help(String)
  /// The bytes of a property of an object.
  case data(ObjectAddress, String)
  /// The form for a new object of an entity.
  case adding(String)
  /// What deleting an object would do.
  case deletion(ObjectAddress)
  /// The form for rows of a text, which go to the columns of a table.
  case pasting(RowsAddress)
  /// The form that sets a property of all objects of a request.
  case settingAll(RowsAddress)

  /// The address as text.
  var text: String {
    switch self {
    case .entities: "/"
    case .rows(let rows): rows.text()
    case .object(let object): object.text()
    case .notebook(let file): "/-/page?" + URLText.query([.init("page", file)])
    case .changes: "/-/changes"
    case .property(let object, let name): "/-/edit?" + URLText.query(object.fields + [.init("property", name)])
    case .jump(let text): "/-/jump?" + URLText.query([.init("find", text)])
    case .help(let name): "/-/help?" + URLText.query([.init("name", name)])
    case .data(let object, let name): "/-/data?" + URLText.query(object.fields + [.init("property", name)])
    case .adding(let entity): "/-/add?" + URLText.query([.init("entity", entity)])
    case .deletion(let object): "/-/delete?" + URLText.query(object.fields)
    case .pasting(let rows):
      "/-/paste?" + URLText.query([.init("entity", rows.entity)] + rows.columns.map { .init("column", $0) })
    case .settingAll(let rows): "/-/setall?" + URLText.query([.init("entity", rows.entity)] + rows.fields)
    }
  }
}

/// An object in an address: its entity, and the values of its key.
struct ObjectAddress: Equatable, Hashable {
  var entity: String
  var key: [String]

  /// The fields of forms and of addresses of pages about it.
  var fields: [HTTPRequest.Field] { [.init("entity", entity)] + key.map { .init("key", $0) } }

  func text(_ format: PageFormat = .html) -> String {
    "/" + URLText.encoded(entity) + format.suffix + "?" + URLText.query(key.map { .init("key", $0) })
  }
}

/// A request in an address, and which of its rows are shown.
struct RowsAddress: Equatable {
  var entity: String
  /// The predicate as it was typed; empty for all objects.
  var predicate = ""
  /// The sort keys as scripts write them: `-magnitude`.
  var sort: [String] = []
  /// The columns that were chosen; empty for all.
  var columns: [String] = []
  /// The expression whose value the rows of a section share; empty for no sections.
  var sections = ""
  /// Which sections are folded.
  var folding = SectionFolding()
  /// The columns whose values are counted.
  var facets: [String] = []
  /// The plots that are drawn: a column, or two, `time,magnitude`.
  var plots: [String] = []
  /// The moment since which changes are shown: a token of the history, or a time.
  var since: String?
  /// What is shown about the predicate.
  var inspections: [InspectionView.Part] = []
  /// Only the objects that a relationship leads to, or that lead to an object.
  var lead: Lead?
  /// The number of the first row that is shown, from 1.
  var first = 1

  /// A relationship between the rows and an object.
  enum Lead: Hashable {
    /// The rows whose relationship leads to the object.
    case by(String, ObjectAddress)
    /// The rows that a relationship of the object leads to.
    case along(String, ObjectAddress)
  }

  init(_ entity: String) { self.entity = entity }

  /// Reads the fields of a query; fields that mean nothing are passed over.
  init(_ entity: String, _ query: [HTTPRequest.Field]) {
    self.init(entity)
    func values(_ name: String) -> [String] { query.filter { $0.name == name && !$0.value.isEmpty }.map(\.value) }
    predicate = values("where").first ?? ""
    (sort, columns, facets) = (values("sort"), values("column"), values("facet"))
    (plots, since) = (values("plot"), values("since").first)
    (sections, folding) = (values("sections").first ?? "", SectionFolding(query))
    inspections = values("inspect").compactMap(InspectionView.Part.init)
    first = max(values("row").first.flatMap { Int($0) } ?? 1, 1)
    guard let name = values("to").first else { return }
    let object = ObjectAddress(entity: name, key: values("key"))
    if let path = values("by").first { lead = .by(path, object) }
    if let path = values("along").first { lead = .along(path, object) }
  }

  /// The fields of the query, in one order.
  var fields: [HTTPRequest.Field] {
    var fields: [HTTPRequest.Field] = []
    switch lead {
    case .by(let name, let object)?: fields += [.init("by", name), .init("to", object.entity)] + Self.key(object)
    case .along(let name, let object)?:
      fields += [.init("along", name), .init("to", object.entity)] + Self.key(object)
    case nil: break
    }
    if !predicate.isEmpty { fields.append(.init("where", predicate)) }
    fields += sort.map { .init("sort", $0) } + columns.map { .init("column", $0) } + facets.map { .init("facet", $0) }
    if !sections.isEmpty { fields += [.init("sections", sections)] + folding.fields }
    fields += plots.map { .init("plot", $0) } + (since.map { [.init("since", $0)] } ?? [])
    fields += inspections.map { .init("inspect", $0.rawValue) }
    if first > 1 { fields.append(.init("row", String(first))) }
    return fields
  }

  private static func key(_ object: ObjectAddress) -> [HTTPRequest.Field] { object.key.map { .init("key", $0) } }

  func text(_ format: PageFormat = .html) -> String {
    let query = URLText.query(fields)
    return "/" + URLText.encoded(entity) + format.suffix + (query.isEmpty ? "" : "?" + query)
  }

  /// The same with a change; the rows then begin at the first.
  func changed(_ change: (inout RowsAddress) -> Void) -> RowsAddress {
    var next = self
    next.first = 1
    change(&next)
    return next
  }
}

/// The forms in which a page can be had.
enum PageFormat: String, CaseIterable {
  case html, json, csv, tsv, ndjson
  /// The plot of rows.
  case svg

  var suffix: String { self == .html ? "" : "." + rawValue }

  var mediaType: String {
    switch self {
    case .html: "text/html; charset=utf-8"
    case .json: "application/json"
    case .csv: "text/csv; charset=utf-8"
    case .tsv: "text/tab-separated-values; charset=utf-8"
    case .ndjson: "application/x-ndjson"
    case .svg: "image/svg+xml"
    }
  }
}
