/// A file that pages load, which is part of the program.
enum PageAsset: String, CaseIterable {
  case page = "page.js"
  case events = "events.js"
  case rows = "rows.js"
  case facets = "facets.js"
  case cards = "cards.js"
  case jump = "jump.js"
  case predicate = "predicate.js"
  case changes = "changes.js"
  case style = "page.css"
  case icon = "icon.svg"

  var mediaType: String {
    switch self {
    case .page, .events, .rows, .facets, .cards, .jump, .predicate, .changes: "text/javascript; charset=utf-8"
    case .style: "text/css; charset=utf-8"
    case .icon: "image/svg+xml"
    }
  }

  var text: String {
    switch self {
    case .page: PageScript.page
    case .events: PageScript.events
    case .rows: PageScript.rows
    case .facets: PageScript.facets
    case .cards: PageScript.cards
    case .jump: PageScript.jump
    case .predicate: PageScript.predicate
    case .changes: PageScript.changes
    case .style: PageStyle.text
    case .icon: Self.moon
    }
  }

  private static let moon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M10 1a7 7 0 1 0 5 9A6 6 0 0 1 10 1z" fill="#c90"/></svg>

    """
}
