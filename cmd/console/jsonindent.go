package console

import "bytes"

// appendIndented appends JSON as json.Indent writes it. The JSON must be valid and have no spaces between its parts, as
// encoders write it; so it need not be parsed again, which takes longer than to encode it.
func appendIndented(out, compact []byte, prefix, indent string) []byte {
	depth := 0
	line := func() {
		out = append(append(out, '\n'), prefix...)
		for range depth {
			out = append(out, indent...)
		}
	}
	for at := 0; at < len(compact); at++ {
		switch c := compact[at]; c {
		case '"':
			end := at + 1 + endOfString(compact[at+1:])
			out = append(out, compact[at:end]...)
			at = end - 1
		case '{', '[':
			out = append(out, c)
			if next := compact[at+1]; next == '}' || next == ']' {
				out = append(out, next)
				at++
				break
			}
			depth++
			line()
		case '}', ']':
			depth--
			line()
			out = append(out, c)
		case ',':
			out = append(out, c)
			line()
		case ':':
			out = append(out, ':', ' ')
		default:
			out = append(out, c)
		}
	}
	return out
}

// endOfString returns where a string ends, after its quote, in the bytes that follow the quote before it.
func endOfString(rest []byte) int {
	at := 0
	for {
		at += bytes.IndexByte(rest[at:], '"') + 1
		escapes := 0
		for i := at - 2; i >= 0 && rest[i] == '\\'; i-- {
			escapes++
		}
		if escapes%2 == 0 {
			return at
		}
	}
}
