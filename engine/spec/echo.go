package spec

// echoed bounds what an error repeats of what was typed, in runes.
const echoed = 200

// Echo is a text as an error repeats it: in full, or its first 200 runes.
func Echo(text string) string {
	n := 0
	for at := range text {
		if n++; n > echoed {
			return text[:at] + "…"
		}
	}
	return text
}
