package spec

import (
	"errors"

	"go.yaml.in/yaml/v3"
)

// faults are what is wrong with several values, each with its line: as one error of the
// YAML package they are all told, where any other error ends the reading.
type faults []string

// add takes in an error, also one of several faults; nil is none.
func (f *faults) add(err error) {
	if several, ok := errors.AsType[*yaml.TypeError](err); ok {
		*f = append(*f, several.Errors...)
	} else if err != nil {
		*f = append(*f, err.Error())
	}
}

func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return &yaml.TypeError{Errors: f}
}
