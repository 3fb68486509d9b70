package cmd

import (
	"fmt"
	"io"

	"chant/engine"
)

// verifyFormat is how an answer is printed; JSON is printed like every result.
func verifyFormat(a *app, name string) (render[engine.VerifyAllResult], error) {
	switch name {
	case "json":
		a.json = true
		return renderVerifyAll, nil
	case "text":
		return renderVerifyAll, nil
	}
	return nil, &engine.Error{Code: engine.Usage, Hint: "chant verify --help", Message: fmt.Sprintf("there is no format %q (text, json, junit, sarif, markdown)", name)}
}

// showVerified prints an answer. As JSON, one spec that was asked for by name stands
// alone.
func showVerified(a *app, r engine.VerifyAllResult, alone bool, text render[engine.VerifyAllResult]) error {
	if alone && len(r.Specs) == 1 && a.json {
		return show(a, r.Specs[0], func(io.Writer, engine.VerifyResult) {})
	}
	return show(a, r, text)
}
