internal import HTTP
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Session

/// What a request for content gets.
struct PageContent {
  private let store: PageStore
  private let content: PageRoute.Content
  private let format: PageFormat
  private let request: HTTPRequest

  init(_ store: PageStore, _ content: PageRoute.Content, _ format: PageFormat, _ request: HTTPRequest) {
    (self.store, self.content, self.format, self.request) = (store, content, format, request)
  }

  func response() throws -> HTTPResponse {
    switch content {
    case .entities:
      if let application = store.application, format == .html {
        return text(ScriptPageView(application, in: store).frame().html)
      }
      return try entities()
    case .store: return try entities()
    case .notebook:
      return text(ScriptPageView(try store.scriptPage(request.value("page") ?? ""), in: store).frame().html)
    case .chart:
      let place = request.value("place").flatMap { Int($0) } ?? 0
      guard let svg = ScriptPageView(try store.scriptPage(request.value("page")), in: store).chart(place) else {
        throw PageProblem.noPage
      }
      return text(svg)
    case .entity(let name):
      let isObject = request.value("key") != nil && request.value("to") == nil
      return isObject ? try object(name) : try rows(name)
    case .jump:
      let view = JumpView(request.value("find") ?? "", in: store)
      return text(request.value("part") == nil ? try view.frame().html : try view.list().text)
    case .help: return text(try help().html)
    case .data: return try data()
    case .completions: return try completions()
    case .reading: return try reading()
    case .form(let form): return try FormPages(store, request).response(form)
    }
  }

  private func text(_ text: String) -> HTTPResponse { HTTPResponse(type: format.mediaType, text) }

  private func entities() throws -> HTTPResponse {
    let view = EntitiesView(store)
    switch format {
    case .html:
      let changes = try request.value("since").map { try since($0, nil).html() }
      var frame = store.frame(
        store.session.parts.title.name, [],
        .group([
          try view.html(), EntitiesView.diagram, SinceView.form(request.value("since"), in: store), changes ?? .nothing,
        ]))
      (frame.line, frame.forms) = ("store.entities", [("JSON", "/.json")])
      return text(frame.html)
    case .json: return text(try request.value("since").map { try since($0, nil).json() } ?? view.json())
    case .svg:
      guard let diagram = store.session.engine.modelDiagram(title: store.session.parts.title.name) else {
        throw PageProblem.noFormat(format)
      }
      return text(diagram)
    case .csv, .tsv, .ndjson: throw PageProblem.noFormat(format)
    }
  }

  private func since(_ moment: String, _ entity: Entity?) -> SinceView { SinceView(moment, of: entity, in: store) }

  private func object(_ entity: String) throws -> HTTPResponse {
    let address = ObjectAddress(entity: entity, key: request.query.filter { $0.name == "key" }.map(\.value))
    let object = try store.object(address)
    let view = ObjectView(object, in: store)
    switch format {
    case .html where request.value("part") == "card": return text(try view.card().text)
    case .html:
      let path: [(String, PageAddress?)] = [(entity, .rows(RowsAddress(entity))), (view.name, nil)]
      let reasons = request.value("where").flatMap { InspectionView.reasons($0, object, in: store) }
      var frame = store.frame("\(entity) \(view.name)", path, .group([try view.html(), reasons ?? .nothing]))
      (frame.line, frame.forms) = (RequestLine.object(address, in: store), [("JSON", address.text(.json))])
      return text(frame.html)
    case .json: return text(try view.json())
    case .csv, .tsv, .ndjson, .svg: throw PageProblem.noFormat(format)
    }
  }

  private func help() throws -> PageFrame {
    let name = request.value("name") ?? ""
    guard let help = store.session.parts.help.plainText(on: name) else { throw PageProblem.noHelp(name) }
    return store.frame("Help on \(name)", [("help", nil)], .tag("pre", ["class": "printed"], help))
  }

  private func data() throws -> HTTPResponse {
    let key = request.query.filter { $0.name == "key" }.map(\.value)
    let object = try store.object(ObjectAddress(entity: request.value("entity") ?? "", key: key))
    return try DataView(object, at: store.property(request.value("property") ?? "", of: object.entity), in: store)
      .response()
  }

  // MARK: Rows

  private func rows(_ entity: String) throws -> HTTPResponse {
    let address = RowsAddress(entity, request.query)
    let asked = try store.asked(address)
    let size = request.value("rows").flatMap { Int($0) } ?? RowsView.pageSize
    if format != .html, let mistake = asked.mistakes.first { throw PageProblem.failure(mistake.sentence) }
    guard asked.mistakes.isEmpty else {
      let frame = store.frame(entity, [(entity, .rows(RowsAddress(entity)))], PredicateForm(asked).html)
      return HTTPResponse(.unprocessable, type: format.mediaType, frame.html)
    }
    switch format {
    case .html:
      let anchor = request.value("anchor").map {
        RowsView.Anchor(id: $0, offset: request.value("offset").flatMap { Int($0) }.map { min(max($0, 0), size) } ?? 0)
      }
      let view = try RowsView(asked, in: store, size: size, anchor: anchor)
      switch request.value("part") {
      case "rows": return text(try HTML.tag("table", [:], [view.rows()]).text)
      case "facets": return text(try view.facets().text)
      default: return text(try page(asked, view).html)
      }
    case .json:
      if let moment = address.since { return text(try since(moment, asked.entity).json()) }
      return text(try RowsView(asked, in: store, size: size).json())
    case .svg: return text(try PlotView(asked, in: store).svg())
    case .csv, .tsv, .ndjson: return try RowsExport(asked, format, in: store).response()
    }
  }

  private func page(_ asked: AskedRows, _ view: RowsView) throws -> PageFrame {
    let address = asked.address
    var frame = store.frame(address.entity, [(address.entity, nil)], try view.html())
    frame.line = RequestLine(asked, in: store).text
    frame.forms = [PageFormat.json, .csv, .tsv, .ndjson].map {
      ($0.rawValue.uppercased(), address.changed { _ in }.text($0))
    }
    return frame
  }

  // MARK: While a predicate is typed

  private func completions() throws -> HTTPResponse {
    let entity = try store.entity(request.value("entity") ?? "")
    let context = try store.context()
    let typed = request.value("where") ?? ""
    let found = try store.reading(seconds: 2) {
      store.session.completions(ofPredicate: typed, of: entity, in: context)
    }
    let candidates = found.candidates.prefix(50).map { candidate in
      JSON.object(["text": .string(candidate.text), "remark": .string(candidate.remark)])
    }
    // Browsers count in UTF-16.
    let start = String(decoding: Array(typed.utf8.prefix(found.start)), as: UTF8.self).utf16.count
    let json = JSON.object(["ok": .bool(true), "start": .int(Int64(start)), "candidates": .array(Array(candidates))])
    return text(json.outputText + "\n")
  }

  /// The mistakes of a predicate, or how many objects fulfil it, do not, or do neither.
  private func reading() throws -> HTTPResponse {
    let asked = try store.asked(RowsAddress(request.value("entity") ?? "", request.query))
    guard asked.mistakes.isEmpty else {
      return text(PredicateForm.mistakes(asked.mistakes, in: asked.address.predicate).text)
    }
    return text(try MatchCountsView(asked, in: store).html().text)
  }
}
