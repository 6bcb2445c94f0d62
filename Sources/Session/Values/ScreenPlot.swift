internal import Modeling
package import Plots
package import Presentation

/// Plots as lines of text in the colours and characters of the terminal.
package struct ScreenPlot {
  private let style: Style
  private let charset: Charset

  /// The colours of series, the first of them that of numbers.
  private static let seriesRoles: [Style.Role] = [.number, .reference, .string, .keyword, .removed]

  package init(_ style: Style, _ charset: Charset) {
    self.style = style
    self.charset = charset
  }

  /// The text of a plot in a window of so many columns.
  func text(_ plot: Plot, columns: Int) -> String { drawing(columns, isPainted: true).text(plot) }

  /// The lines of a plot on a full screen: planes as high as there is room for, of bars as many as fit.
  package func lines(_ plot: Plot, columns: Int, rows: Int) -> [ScreenLine] {
    var (painted, plain) = (drawing(columns, isPainted: true), drawing(columns, isPainted: false))
    // A panel of points has its axis below, and all of them share a headline and the names of series.
    let planes = plot.panels.count
    let room = max((rows - 2) / planes - (planes > 1 ? 3 : 2), 3)
    (painted.height, plain.height) = (room, room)
    let texts = painted.text(plot).split(separator: "\n", omittingEmptySubsequences: false)
    let widths = plain.text(plot).split(separator: "\n", omittingEmptySubsequences: false).map(\.terminalWidth)
    return zip(texts, widths).map { ScreenLine(styled: String($0), width: $1, style) }
  }

  private func drawing(_ columns: Int, isPainted: Bool) -> TextPlot {
    var text = TextPlot {
      let shown = DisplayText($0, in: $1, charset)
      return (shown.text, shown.width)
    } paint: { role, text in
      guard isPainted else { return text }
      return switch role {
      case .title: style(.header, text)
      case .axis: style(.frame, text)
      case .missing: style(.missing, text)
      case .series(let place): style(Self.seriesRoles[place % Self.seriesRoles.count], text)
      }
    }
    text.width = columns
    text.isASCII = charset == .ascii
    text.hasColors = style.isEnabled
    return text
  }
}
