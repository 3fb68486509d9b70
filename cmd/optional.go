package cmd

// optional is a flag whose absence is another thing than the empty text.
type optional struct{ to **string }

// String is the value as help shows it.
func (o *optional) String() string {
	if o.to == nil || *o.to == nil {
		return ""
	}
	return **o.to
}

// Set takes the value.
func (o *optional) Set(text string) error {
	*o.to = &text
	return nil
}

// Type names it in help.
func (o *optional) Type() string { return "string" }
