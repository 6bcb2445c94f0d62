package import SQLite
package import StoreErrors
package import Stores

extension Statement {
  /// Binds a value of an image, byte for byte.
  package func bind(_ item: ImageReader.Item, of image: [UInt8], at index: Int) throws(StoreError) {
    switch item {
    case .null: try bindNull(at: index)
    case .integer(let number): try bind(number, at: index)
    case .real(let number): try bind(number, at: index)
    case .text(let place): try bindText(image[place], at: index)
    case .blob(let place): try bind(Array(image[place]), at: index)
    }
  }

  private func bindText(_ bytes: ArraySlice<UInt8>, at index: Int) throws(StoreError) {
    var failure: StoreError?
    bytes.withUnsafeBytes { buffer in
      do throws(StoreError) { try bind(text: buffer, at: index) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
