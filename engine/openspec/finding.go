package openspec

import "slices"

// Level says how much a finding matters.
type Level string

const (
	// Error makes a document invalid.
	Error Level = "ERROR"
	// Warning makes it invalid in a strict validation.
	Warning Level = "WARNING"
	// Info changes no verdict.
	Info Level = "INFO"
)

// Finding is something that validation has to say. Its JSON is that of the tool.
type Finding struct {
	Level Level `json:"level"`
	// Path says where it is, as in the tool: a file below the specs of the change, a file
	// of the change, a part of the spec such as "requirements[0]", or "file".
	Path string `json:"path"`
	// Line is a line of the file, from 1, or 0 if none is known. The tool knows fewer.
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
}

// Valid is the verdict over findings: no errors and, if strict, no warnings.
func Valid(findings []Finding, strict bool) bool {
	return !slices.ContainsFunc(findings, func(f Finding) bool {
		return f.Level == Error || strict && f.Level == Warning
	})
}

// errorsOf keeps the errors.
func errorsOf(findings []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool { return f.Level != Error })
}
