/// A text that is no longer than a number of characters; what is left out is counted.
///
///     BoundedText("abcdefgh", 3).text                  abc… (8 characters)
package struct BoundedText {
  package let text: String
  package let isCut: Bool

  package init(_ whole: String, _ limit: Int) {
    guard let end = whole.index(whole.startIndex, offsetBy: limit, limitedBy: whole.endIndex), end < whole.endIndex
    else {
      (text, isCut) = (whole, false)
      return
    }
    (text, isCut) = ("\(whole[..<end])… (\(whole.count) characters)", true)
  }
}
