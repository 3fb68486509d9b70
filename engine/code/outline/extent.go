package outline

import "strings"

// extent returns the line after a declaration that starts in a line.
func (s *scanner) extent(i int) int {
	if s.lines[i].text[0] == '(' {
		return s.closed(i, '(', ')', i)
	}
	// The brace of a declaration is on its line, or on one of the next few, which are indented or begin with it.
	for j := i; j < min(i+6, len(s.lines)); j++ {
		text := s.lines[j].text
		if strings.IndexByte(text, '{') >= 0 && (j == i || text[0] == '{' || s.lines[j].indent > s.lines[i].indent || text[0] == ')') {
			return s.closed(i, '{', '}', j)
		}
		// A line that ends the declaration has no body behind it.
		if strings.HasSuffix(text, ";") && !strings.Contains(s.lang, "sql") || j > i && (text == "" || s.lines[j].indent <= s.lines[i].indent && text[0] != ')') {
			break
		}
		if strings.HasSuffix(text, ":") || strings.HasSuffix(text, " do") || strings.HasSuffix(text, "=") {
			break
		}
	}
	return s.indented(i)
}

// closed returns the line after the bracket that closes the first one opened at or after a line; the line after opening
// if none does.
func (s *scanner) closed(i int, opens, closes byte, opening int) int {
	depth := 0
	for j := opening; j < len(s.lines) && s.left > 0; j++ {
		s.left--
		text := s.lines[j].text
		// Most ends are found by the indentation; a bracket in a string cannot lead astray then.
		if j > opening && text != "" && s.lines[j].indent == s.lines[i].indent && text[0] == closes && opens == '{' {
			return j + 1
		}
		// A line that is indented less is outside, whatever brackets strings have left open.
		if j > opening && text != "" && s.lines[j].indent < s.lines[i].indent {
			return j
		}
		depth += balance(text, opens, closes)
		if depth <= 0 {
			return j + 1
		}
	}
	return min(max(i, opening)+1, len(s.lines))
}

// balance counts opened less closed brackets outside strings and line comments.
func balance(text string, opens, closes byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch b := text[i]; b {
		case opens:
			depth++
		case closes:
			depth--
		case '"', '`':
			if n := strings.IndexByte(text[i+1:], b); n >= 0 {
				i += n + 1
			}
		case '\\':
			i++
		case '/':
			if i+1 < len(text) && text[i+1] == '/' {
				return depth
			}
		}
	}
	return depth
}

// indented returns the line after the lines that are indented more than a line, with the word that ends them.
func (s *scanner) indented(i int) int {
	end := i + 1
	for j := i + 1; j < len(s.lines) && s.left > 0; j++ {
		s.left--
		l := s.lines[j]
		if l.text == "" {
			continue
		}
		if l.indent > s.lines[i].indent {
			end = j + 1
			continue
		}
		if l.indent == s.lines[i].indent {
			word := strings.ToLower(l.text)
			if word == "begin" || word == "is" || strings.HasPrefix(word, ")") || strings.HasPrefix(word, "$$") && j < i+40 {
				end = j + 1
				continue
			}
			if strings.HasPrefix(word, "end") || word == "}" || word == "};" || word == "fi" || word == "done" {
				end = j + 1
				// PL/pgSQL ends a body with $$ after its last line.
				if j+1 < len(s.lines) && strings.HasPrefix(s.lines[j+1].text, "$$") {
					continue
				}
			}
		}
		break
	}
	return end
}

// isComment reports whether a line is a comment.
func isComment(text string) bool {
	for _, mark := range []string{"//", "#", "--", ";", "%", "/*", "*/", "* ", "\" ", "(*", "{-", "@doc", "@moduledoc", "!"} {
		if strings.HasPrefix(text, mark) {
			return !strings.HasPrefix(text, "#include") && !strings.HasPrefix(text, "#define") && !strings.HasPrefix(text, "#if") && !strings.HasPrefix(text, "#end")
		}
	}
	return text == "*"
}

// commentsAbove returns the first line of the comments and annotations directly above a line.
func (s *scanner) commentsAbove(i int) int {
	first := i
	for first > s.done && first > 0 {
		text := s.lines[first-1].text
		if text == "" || !isComment(text) && text[0] != '@' && !strings.HasPrefix(text, "#[") {
			break
		}
		first--
	}
	return first
}

// doc returns the text of comments without their marks.
func (s *scanner) doc(first, to int) string {
	var lines []string
	for _, l := range s.lines[first:to] {
		if l.text[0] == '@' || strings.HasPrefix(l.text, "#[") {
			continue
		}
		text := strings.TrimRight(strings.TrimLeft(l.text, "/#-;%*\"!({ "), "*/) ")
		lines = append(lines, text)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
