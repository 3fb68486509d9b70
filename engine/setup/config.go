package setup

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/config"
	"chant/engine/spec"
	"chant/providers/secret"
)

// ConfigInput has no fields.
type ConfigInput struct{}

// ConfigResult has the settings in force: those of config.md, and the defaults of all others.
type ConfigResult struct {
	Settings map[string]any `json:"settings"` // as config.md nests them
}

// Config returns the settings in force. Values of variables that look secret are left out.
func Config(_ context.Context, p *engine.Project, _ ConfigInput) (ConfigResult, error) {
	c := *p.Config
	retry := c.Retry.Policy()
	c.Retry = &config.RetryConfig{Max: &retry.Max, Delay: &retry.Delay, Factor: &retry.Factor, Patterns: c.Retry.Patterns, Finally: retry.Finally}
	c.Approval.Rejection = cmp.Or(c.Approval.Rejection, config.RejectManual)
	s := c.LintSettings()
	c.Lint.Thresholds = config.LintThresholds{Criteria: &s.Criteria, Files: &s.Files, Words: &s.Words}
	settings := shownFields(reflect.ValueOf(c))
	// The older chant's places for retry.* and parallel.rotation, which are shown under their present names.
	for section, key := range map[string]string{"watch": "failure", "defaults": "rotation_strategy"} {
		if inner, ok := settings[section].(map[string]any); ok {
			delete(inner, key)
		}
	}
	return ConfigResult{Settings: settings}, nil
}

// shown returns a setting as a value for JSON, nil without a value. A duration is written in the form that its rule
// reads.
func shown(v reflect.Value, rule string) any {
	switch x := v.Interface().(type) {
	case time.Duration:
		if rule == "milliseconds" || rule == "interval" {
			return x.Milliseconds()
		}
		return spelledOut(x)
	case spec.Span:
		return spelledOut(time.Duration(x))
	case *regexp.Regexp:
		if x == nil {
			return nil
		}
		return x.String()
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return shown(v.Elem(), rule)
	case reflect.Struct:
		return shownFields(v)
	case reflect.Map:
		return shownPairs(v, rule)
	case reflect.Slice:
		all := []any{}
		for i := range v.Len() {
			all = append(all, shown(v.Index(i), rule))
		}
		return all
	case reflect.String:
		return secret.InSettings(v.String())
	}
	return v.Interface()
}

// shownFields returns the fields of a struct by their names in the settings.
func shownFields(v reflect.Value) map[string]any {
	out := map[string]any{}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if !f.IsExported() || name == "-" { // not a setting
			continue
		}
		value := shown(v.Field(i), f.Tag.Get("rule"))
		inner, nested := value.(map[string]any)
		switch {
		case value == nil || nested && len(inner) == 0:
		case strings.Contains(rest, "inline") || f.Anonymous:
			for k, x := range inner {
				out[k] = x
			}
		case name == "":
			out[strings.ToLower(f.Name)] = value
		default:
			out[name] = value
		}
	}
	return out
}

// shownPairs returns the pairs of a map. It hides a value if its name shows that it is a secret.
func shownPairs(v reflect.Value, rule string) map[string]any {
	out := map[string]any{}
	for pairs := v.MapRange(); pairs.Next(); {
		name, value := fmt.Sprint(pairs.Key()), shown(pairs.Value(), rule)
		if _, text := value.(string); text && secret.Named(name) {
			value = secret.Mark(name)
		}
		out[name] = value
	}
	return out
}

// spelledOut writes a duration in the form of settings: 90s, 10m, 1h30m.
func spelledOut(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	text := d.String()
	for _, end := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, end) {
			text = text[:len(text)-2]
		}
	}
	return text
}
