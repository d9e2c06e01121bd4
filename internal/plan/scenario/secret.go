package scenario

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"

	"rpcbench/internal/plan/point"
)

// checkStored refuses what a file must not hold: secrets, and input that was only on standard input.
func (c Case) checkStored() error {
	s := c.Service()
	for _, m := range s.Mix {
		if err := c.checkMixStored(m); err != nil {
			return err
		}
	}
	for key, entries := range map[string][]string{
		"data": {s.Data}, "metadata": s.Metadata, "reflect_metadata": s.Reflection,
	} {
		for i, text := range entries {
			if err := checkText(c.Where(key, i), key, text); err != nil {
				return err
			}
		}
	}
	if name := secretQuery(s.Target.Raw); name != "" {
		return Errorf(c.Where("target", 0), `target: the value of %q looks like a secret, which a scenario does not hold: name a `+
			`variable of the environment, {{env "NAME"}}`, name)
	}
	return nil
}

// checkMixStored is checkStored for one call of a mix.
func (c Case) checkMixStored(m point.Mixed) error {
	at := c.Where("mix", 0)
	if name := secretQuery(m.Path); name != "" {
		return Errorf(at, `mix: the value of %q looks like a secret, which a scenario does not hold: name a variable of the `+
			`environment, {{env "NAME"}}`, name)
	}
	for _, text := range m.Service.Metadata {
		if err := checkText(at, "metadata", text); err != nil {
			return err
		}
	}
	return checkText(at, "data", m.Service.Data)
}

// checkText refuses a text of a key that a file must not hold.
func checkText(at, key, text string) error {
	if text == "@-" {
		return Errorf(at, "%s: a scenario can't read standard input: put it into a file, and name that", key)
	}
	if secret := secretOf(key, text); secret != "" {
		return Errorf(at, `%s: the value of %q looks like a secret, which a scenario does not hold: name a variable of the `+
			`environment, {{env "NAME"}}, or a file, %s`, key, secret, otherPlaces[key])
	}
	return nil
}

// otherPlaces names the alternatives for secrets of a key.
var otherPlaces = map[string]string{
	"data": "data_file", "metadata": "@FILE; of a bearer token token_file or token_env", "reflect_metadata": "@FILE",
}

var (
	secretName  = regexp.MustCompile(`(?i)auth|token|secret|passw|credential|cookie|session|api[-_]?key|signature|private`)
	secretValue = regexp.MustCompile(`(?i)^(bearer|basic|digest|negotiate)\s|^eyJ[\w-]+\.|-----BEGIN|^(sk|pk|ghp|xox.)[-_]\w{8}`)
	// jsonText is a field of JSON with a text as its value.
	jsonText = regexp.MustCompile(`"((?:[^"\\]|\\.)+)"\s*:\s*"((?:[^"\\]|\\.)*)"`)
)

// secretOf is the name of an entry whose value looks like a secret; empty if none does.
func secretOf(key, text string) string {
	switch {
	case strings.HasPrefix(text, "@"):
		return ""
	case key == "data" || strings.HasPrefix(strings.TrimSpace(text), "{"):
		for _, found := range jsonText.FindAllStringSubmatch(text, -1) {
			var value string
			if json.Unmarshal([]byte(`"`+found[2]+`"`), &value) != nil {
				value = found[2]
			}
			if isSecret(found[1], value) {
				return found[1]
			}
		}
		return ""
	default:
		name, value, _ := strings.Cut(text, ":")
		if isSecret(strings.TrimSpace(name), strings.TrimSpace(value)) {
			return strings.TrimSpace(name)
		}
		return ""
	}
}

// isSecret reports whether a value looks like a secret, by its name or by itself. A value made by a function does not.
func isSecret(name, value string) bool {
	if value == "" || strings.Contains(value, "{{") {
		return false
	}
	return secretName.MatchString(name) || secretValue.MatchString(value)
}

// secretQuery is the name in a URL's query whose value looks like a secret.
func secretQuery(raw string) string {
	_, query, _ := strings.Cut(raw, "?")
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(value); err == nil {
			value = plain
		}
		if isSecret(name, value) {
			return name
		}
	}
	return ""
}
