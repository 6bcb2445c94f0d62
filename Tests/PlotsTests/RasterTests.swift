import Modeling
import TestSupport
import Testing

@testable import Plots

/// A plot as pixels is the picture that the document describes.
@Suite(.seeded, .enabled(if: Raster.isAvailable, "librsvg is not installed")) struct RasterTests {
  private func bars(_ values: [Int64]) -> Plot {
    let description = PlotDescription(mark: .bar, x: "value", y: "count", aggregate: .count)
    var builder = PlotBuilder(description, x: (.int(values.min()!), .int(values.max()!)))
    for value in values { builder.add(x: .int(value), y: .null) }
    return builder.plot()
  }

  @Test func groundAndBarsHaveTheColoursOfTheTheme() throws {
    for (theme, ground, bar) in [(SVGPlot.Theme.light, 0xFFFFFF, 0x3B6FB6), (.dark, 0x0D1117, 0x7AA7E8)] {
      var picture = SVGPlot()
      picture.theme = theme
      let raster = try Raster(picture.picture(bars([1, 2, 2, 3])))
      #expect(raster.pixels[0] & 0xFFFFFF == UInt32(ground))
      let painted = raster.pixels.count { $0 & 0xFFFFFF == UInt32(bar) }
      #expect(painted > raster.pixels.count / 20, "\(theme): \(painted) of \(raster.pixels.count)")
    }
  }

  @Test func aPictureWithoutAThemeIsLight() throws {
    let plot = bars([1, 2, 2, 3])
    var light = SVGPlot()
    light.theme = .light
    #expect(try Raster(SVGPlot().picture(plot)) == Raster(light.picture(plot)))
  }

  @Test func theScaleIsThatOfBothSides() throws {
    let picture = SVGPlot().picture(bars([1, 2]))
    let (one, two) = (try Raster(picture), try Raster(picture, scale: 2))
    #expect(one.columns == 640 && two.columns == 1_280 && two.rows / 2 == one.rows)
  }

  @Test func everyPlotIsDrawn() throws {
    var numbers = SplitMix(seed: 11)
    for _ in 0..<40 {
      let raster = try Raster(SVGPlot().picture(RandomPlot.make(&numbers)), scale: 0.5)
      #expect(Set(raster.pixels).count > 1)
    }
  }

  @Test func aFileSaysItsSize() throws {
    let raster = try Raster(SVGPlot().picture(bars([1, 2])))
    let file = try raster.png()
    #expect(Array(file.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    func number(_ start: Int) -> Int { file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(number(16) == raster.columns && number(20) == raster.rows)
    #expect(Array(file.suffix(8).prefix(4)) == Array("IEND".utf8))
  }

  @Test func whatIsNoPictureIsRefused() throws {
    let huge = SVGPicture(text: "", width: 1e5, height: 1e5)
    #expect(throws: Raster.Failure.tooLarge(pixels: 10_000_000_000)) { try Raster(huge) }
    let text = SVGPicture(text: "no document", width: 10, height: 10)
    #expect(throws: Raster.Failure.refused) { try Raster(text) }
  }
}
