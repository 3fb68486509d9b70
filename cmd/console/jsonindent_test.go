package console

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzAppendIndented compares with json.Indent.
func FuzzAppendIndented(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `[[],{}]`, `"a\"b\\"`, `{"a":[1,2,{"b":null}],"":"\\\"{[,:"}`, `-1.5e3`, `["é\u2028",true,false]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var compact, want bytes.Buffer
		if json.Compact(&compact, []byte(text)) != nil {
			return
		}
		if err := json.Indent(&want, compact.Bytes(), "> ", "  "); err != nil {
			t.Fatal(err)
		}
		if got := appendIndented(nil, compact.Bytes(), "> ", "  "); !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s\nbecame %s\nwant   %s", compact.Bytes(), got, want.Bytes())
		}
	})
}
