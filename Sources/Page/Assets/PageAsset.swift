/// A file that pages load, which is part of the program.
enum PageAsset: String {
  case script = "page.js"
  case style = "page.css"
  case icon = "icon.svg"

  var mediaType: String {
    switch self {
    case .script: "text/javascript; charset=utf-8"
    case .style: "text/css; charset=utf-8"
    case .icon: "image/svg+xml"
    }
  }

  var text: String {
    switch self {
    case .script: PageScript.text
    case .style: PageStyle.text
    case .icon: Self.moon
    }
  }

  private static let moon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M10 1a7 7 0 1 0 5 9A6 6 0 0 1 10 1z" fill="#c90"/></svg>

    """
}
