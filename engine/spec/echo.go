package spec

import "chant/providers/text"

// Echo is a text as an error repeats it: in full, or its first 200 characters.
func Echo(typed string) string { return text.Clip(typed, 200) }
