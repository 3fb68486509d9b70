package mcp

import (
	"reflect"
	"testing"

	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

// FuzzDecode sends arguments to every tool.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{"id":"1","limit":3}`, `{"labels":["a",1]}`, `{"description":"x","criteria":null}`, `[]`, `{"id":{}}`, `{"offset":-1e9}`} {
		f.Add([]byte(seed))
	}
	rows := table()
	f.Fuzz(func(t *testing.T, in []byte) {
		args, err := toolset.ParseArguments(in)
		if err != nil {
			return
		}
		for _, row := range rows {
			got, err := row.Decode(args)
			assert.False(t, err == nil && reflect.TypeOf(got) != row.Op.Input, "%s: %T", row.Name, got)
		}
	})
}
