// Package outputs checks what chant prints with --json against the schemas that `chant schema` prints.
package outputs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"chant/cmd"
	"chant/engine/spec/schema"
)

// Check returns what is wrong with the output of a command line that has --json: each value on stdout follows a schema of its
// command, and a command that fails without a result prints an error, which is the last line on stderr.
func Check(args []string, exit int, stdout, stderr string) error {
	if !slices.Contains(args, "--json") || slices.Contains(args, "--help") || slices.Contains(args, "-h") {
		return nil
	}
	// Another format overrides --json.
	if at := slices.Index(args, "--format") + 1; at > 0 && at < len(args) && args[at] != "text" && args[at] != "json" {
		return nil
	}
	forms, err := formsOf(args)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	last := lines[len(lines)-1]
	failed := strings.HasPrefix(last, `{"error":`)
	switch {
	case failed:
		err = follows("stderr", last, "error")
	case exit != 0 && stdout == "":
		err = fmt.Errorf("exit %d, and neither a result nor an error", exit)
	}
	if len(forms) == 0 || err != nil {
		return err
	}
	return follows("stdout", stdout, append(forms, "events")...)
}

// formsOf lists the schemas of the command of a command line, one for each form of its result.
func formsOf(args []string) ([]string, error) {
	names, err := names()
	if err != nil {
		return nil, err
	}
	words := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return slices.Contains([]string{"--json", "--quiet", "-q"}, arg) })
	for count := len(words); count > 0; count-- {
		command := strings.Join(words[:count], " ")
		var forms []string
		for _, name := range names {
			form, of := strings.CutPrefix(name, command+" ")
			// A command of a command begins with a small letter.
			if name == command || of && form[0] < 'a' {
				forms = append(forms, name)
			}
		}
		if len(forms) > 0 {
			return forms, nil
		}
	}
	return nil, nil
}

// names lists the schemas.
var names = sync.OnceValues(func() ([]string, error) {
	var list struct{ Schemas []string }
	err := printed(&list, "schema", "--json")
	return list.Schemas, err
})

// printed decodes what a command line of chant prints that needs no project.
func printed(into any, args ...string) error {
	var out, errs bytes.Buffer
	if exit := cmd.Main(context.Background(), args, cmd.Env{In: strings.NewReader(""), Out: &out, Err: &errs}); exit != 0 {
		return fmt.Errorf("chant %q: exit %d %s", args, exit, &errs)
	}
	return json.Unmarshal(out.Bytes(), into)
}

// follows returns an error for a JSON value of a text that follows none of the schemas.
func follows(stream, text string, forms ...string) error {
	values := json.NewDecoder(strings.NewReader(text))
	for {
		var value json.RawMessage
		if err := values.Decode(&value); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w in\n%s", stream, err, text)
		}
		var wrong []string
		for _, form := range forms {
			var src json.RawMessage
			if err := printed(&src, append([]string{"schema"}, strings.Fields(form)...)...); err != nil {
				return err
			}
			compiled, err := schema.Compile(form, src)
			if err != nil {
				return err
			}
			found := compiled.Check(value)
			if len(found) == 0 {
				wrong = nil
				break
			}
			wrong = append(wrong, fmt.Sprintf("schema %q: %s", form, schema.Spell(found)))
		}
		if len(wrong) > 0 {
			return fmt.Errorf("%s: %s\n%s", stream, strings.Join(wrong, "\n"), value)
		}
	}
}
