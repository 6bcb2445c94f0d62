-- Draws a terminal's screen as SVG: perilune docs/pictures/draw.lua light|dark TITLE < SCREEN > PICTURE
-- SCREEN is what `tmux capture-pane -e -p` writes. The same screen gives the same bytes.

-- The colours, after GitHub's: those of the window, then the eight of terminals by number.
local palettes = {
  light = {
    back = "#ffffff", text = "#1f2328", dim = "#6e7781", frame = "#d0d7de", bar = "#f6f8fa",
    [0] = "#24292f", "#cf222e", "#116329", "#9a6700", "#0969da", "#8250df", "#1b7c83", "#6e7781",
  },
  dark = {
    back = "#0d1117", text = "#e6edf3", dim = "#8b949e", frame = "#30363d", bar = "#161b22",
    [0] = "#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4",
  },
}

local theme, title = ...
local colors = palettes[theme] or error("which colours? light or dark, not " .. tostring(theme))
local size, advance, height = 14, 8.43, 17 -- a character's: advance is 0.602 of size in the fonts below
local left, top = 16, 44
local fonts = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }
local function escaped(text) return (text:gsub('[&<>"]', entities)) end

--- How long something took differs from run to run; the picture says the same each time.
local function timeless(line) return (line:gsub("%d[%d.,]* m?s%f[%W]", "2 ms"):gsub("%d[%d.,]* µs%f[%W]", "2 ms")) end

--- Changes `style` as the numbers of an escape sequence say.
local function restyle(style, numbers)
  local codes = {}
  for code in (numbers == "" and "0" or numbers):gmatch "%d+" do codes[#codes + 1] = tonumber(code) end
  for _, code in ipairs(codes) do
    if code == 0 then for key in pairs(style) do style[key] = nil end
    elseif code == 1 then style.bold = true
    elseif code == 2 then style.dim = true
    elseif code == 3 then style.italic = true
    elseif code == 4 then style.underlined = true
    elseif code == 7 then style.reversed = true
    elseif code == 22 then style.bold, style.dim = nil, nil
    elseif code == 23 then style.italic = nil
    elseif code == 24 then style.underlined = nil
    elseif code == 27 then style.reversed = nil
    elseif code >= 30 and code <= 37 then style.color = code - 30
    elseif code == 39 then style.color = nil
    elseif code >= 40 and code <= 47 then style.back = code - 40
    elseif code == 49 then style.back = nil
    elseif code >= 90 and code <= 97 then style.color = code - 90
    else error("the picture has no form for the escape code " .. code) end
  end
end

--- The runs of equal style of a line, each with its column.
local function runs(line, style)
  local result, column = {}, 0
  local function add(text)
    if text == "" then return end
    local copy = { text = text, column = column, width = utf8.len(text) }
    for key, value in pairs(style) do copy[key] = value end
    result[#result + 1] = copy
    column = column + copy.width
  end
  local place = 1
  while true do
    local from, to, numbers = line:find("\27%[([%d;]*)m", place)
    add(line:sub(place, (from or 0) - 1))
    if not from then return result, column end
    restyle(style, numbers)
    place = to + 1
  end
end

local lines, style, columns = {}, {}, 0
for line in io.lines() do
  local found, width = runs(timeless(line), style)
  lines[#lines + 1] = found
  columns = math.max(columns, width)
end
while #lines > 0 and #lines[#lines] == 0 do lines[#lines] = nil end

local width = math.ceil(2 * left + math.max(columns, 60) * advance)
local fullHeight = top + #lines * height + 12
local function write(format, ...) io.write(format:format(...), "\n") end
local function number(value) return (("%.2f"):format(value):gsub("%.?0+$", "")) end

write('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">',
  width, fullHeight, width, fullHeight)
write("<title>%s</title>", escaped(title))
write('<rect x="0.5" y="0.5" width="%d" height="%d" rx="8" fill="%s" stroke="%s"/>',
  width - 1, fullHeight - 1, colors.back, colors.frame)
write('<path d="M0.5 28.5V8.5a8 8 0 0 1 8 -8H%sa8 8 0 0 1 8 8V28.5z" fill="%s" stroke="%s"/>',
  number(width - 8.5), colors.bar, colors.frame)
for dot = 0, 2 do write('<circle cx="%d" cy="14.5" r="5" fill="%s"/>', 18 + dot * 18, colors.frame) end
write('<g font-family="%s" font-size="%d" fill="%s" xml:space="preserve">', fonts, size, colors.text)
for row, found in ipairs(lines) do
  local base = top + (row - 1) * height
  local spans = {}
  for _, run in ipairs(found) do
    local x = number(left + run.column * advance)
    local color, back = run.color and colors[run.color] or run.dim and colors.dim, run.back and colors[run.back]
    if run.reversed then color, back = back or colors.back, color or colors.text end
    if back then
      write('<rect x="%s" y="%d" width="%s" height="%d" fill="%s"/>',
        x, base - 1, number(run.width * advance), height, back)
    end
    if run.text:find "%S" then
      spans[#spans + 1] = ('<tspan x="%s" textLength="%s"%s%s%s%s>%s</tspan>'):format(
        x, number(run.width * advance), color and (' fill="%s"'):format(color) or "",
        run.bold and ' font-weight="bold"' or "", run.italic and ' font-style="italic"' or "",
        run.underlined and ' text-decoration="underline"' or "", escaped(run.text))
    end
  end
  if #spans > 0 then write('<text y="%d">%s</text>', base + 12, table.concat(spans)) end
end
write "</g>"
write "</svg>"
