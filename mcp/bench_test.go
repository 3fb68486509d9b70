package mcp

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// BenchmarkServe measures calls in projects of two sizes, and a server's way from
// its start to its first reply.
func BenchmarkServe(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		dir := project(b, nil)
		for i := range n {
			writeSpec(b, dir, fmt.Sprintf("2026-01-%02d-%03d-abc", i/1000+1, i%1000+1), "---\ntype: code\nstatus: pending\n---\n\n# One of many\n\n"+strings.Repeat("Words. ", 300))
		}
		for _, bench := range []struct{ name, line string }{
			{"ping", pingLine},
			{"get", callLine(1, "chant_spec_get", map[string]any{"id": "2026-01-01-500-abc"})},
			{"get-by-part", callLine(1, "chant_spec_get", map[string]any{"id": "2026-01-01-500"})},
			{"list", callLine(1, "chant_spec_list", map[string]any{"limit": 50})},
		} {
			b.Run(fmt.Sprintf("%s/%d", bench.name, n), func(b *testing.B) {
				var out bytes.Buffer
				in := strings.NewReader(strings.Repeat(bench.line+"\n", b.N))
				b.ResetTimer()
				assert.NoError(b, Serve(b.Context(), in, &out, io.Discard, opener(dir), Options{}))
				assert.False(b, bytes.Contains(out.Bytes(), []byte(`"isError":true`)), "%v", out.String()[:1000])
			})
		}
		b.Run(fmt.Sprintf("start/%d", n), func(b *testing.B) {
			for b.Loop() {
				assert.NoError(b, Serve(b.Context(), strings.NewReader(pingLine), io.Discard, io.Discard, opener(dir), Options{}))
			}
		})
	}
}
