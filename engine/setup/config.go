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

// ConfigResult is the settings in force: what config.md says, and the usual values of
// what it does not say.
type ConfigResult struct {
	Settings map[string]any `json:"settings"` // as config.md nests them
}

// Config returns the settings in force. Values of variables that look secret are left out.
func Config(_ context.Context, p *engine.Project, _ ConfigInput) (ConfigResult, error) {
	c := *p.Config
	retry := c.Retry.Policy()
	most, delay, growth := config.Count(retry.Max), config.Milliseconds(retry.Delay), config.Factor(retry.Factor)
	c.Retry = &config.RetryConfig{Max: &most, Delay: &delay, Factor: &growth, Patterns: c.Retry.Patterns, Finally: config.AfterFailure(retry.Finally)}
	c.Approval.Rejection = cmp.Or(c.Approval.Rejection, config.RejectManual)
	s := c.LintSettings()
	criteria, files, words := config.Count(s.Criteria), config.Count(s.Files), config.Count(s.Words)
	c.Lint.Thresholds = config.LintThresholds{Criteria: &criteria, Files: &files, Words: &words}
	settings := shownFields(reflect.ValueOf(c))
	// Where the older chant has retry.* and parallel.rotation, which are shown.
	for section, key := range map[string]string{"watch": "failure", "defaults": "rotation_strategy"} {
		if inner, ok := settings[section].(map[string]any); ok {
			delete(inner, key)
		}
	}
	return ConfigResult{Settings: settings}, nil
}

// shown is a setting as JSON has it, nil for one that says nothing.
func shown(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case config.Duration:
		return spelledOut(time.Duration(x))
	case spec.Span:
		return spelledOut(time.Duration(x))
	case config.Milliseconds:
		return time.Duration(x).Milliseconds()
	case config.Interval:
		return time.Duration(x).Milliseconds()
	case *regexp.Regexp:
		if x == nil {
			return nil
		}
		return x.String()
	case config.Pattern:
		return x.String()
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return shown(v.Elem())
	case reflect.Struct:
		return shownFields(v)
	case reflect.Map:
		return shownPairs(v)
	case reflect.Slice:
		all := []any{}
		for i := range v.Len() {
			all = append(all, shown(v.Index(i)))
		}
		return all
	case reflect.String:
		return secret.InSettings(v.String())
	}
	return v.Interface()
}

// shownFields names the fields of a struct as the settings do.
func shownFields(v reflect.Value) map[string]any {
	out := map[string]any{}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		name, rest, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		value := shown(v.Field(i))
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

// shownPairs are those of a map. A name that says that its value is a secret hides it.
func shownPairs(v reflect.Value) map[string]any {
	out := map[string]any{}
	for pairs := v.MapRange(); pairs.Next(); {
		name, value := fmt.Sprint(pairs.Key()), shown(pairs.Value())
		if _, text := value.(string); text && secret.Named(name) {
			value = secret.Mark(name)
		}
		out[name] = value
	}
	return out
}

// spelledOut writes a duration as settings have it: 90s, 10m, 1h30m.
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
