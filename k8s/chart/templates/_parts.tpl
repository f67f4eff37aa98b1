{{/* What the names of all objects begin with: one release does not meet another in the same namespace. */}}
{{- define "capstan.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{ .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains "capstan" .Release.Name -}}
{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-capstan" .Release.Name | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "capstan.labels" -}}
app.kubernetes.io/name: capstan
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "capstan.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{- define "capstan.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (include "capstan.fullname" .) }}
{{- end }}

{{/* A pod that the policy "restricted" lets in. `part` has the values of its component; its own win over those of all pods. */}}
{{- define "capstan.pod" -}}
serviceAccountName: {{ .account | default (include "capstan.serviceAccount" .) }}
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with merge (dict) (.part.nodeSelector | default dict) .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with concat .Values.tolerations (.part.tolerations | default list) }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .part.affinity | default .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .part.priorityClassName | default .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
enableServiceLinks: false
# A process that ends itself because it hangs does so by a signal, which the first of its namespace ignores: that is the pod's.
shareProcessNamespace: true
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  {{- if eq .Values.documents.store "claim" }}
  # Not file by file, whenever a pod starts.
  fsGroupChangePolicy: OnRootMismatch
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: tmp
    # A pod that fills it is evicted: files on their way into a bucket need room for all that may come at once.
    emptyDir: { sizeLimit: {{ if eq .Values.documents.store "none" }}256Mi{{ else }}{{ .Values.documents.spool }}{{ end }} }
  {{- with concat .Values.extraVolumes (.part.extraVolumes | default list) }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "capstan.container" -}}
image: {{ include "capstan.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- with concat .Values.envFrom (.part.envFrom | default list) }}
envFrom: {{- toYaml . | nindent 2 }}
{{- end }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- with concat .Values.extraVolumeMounts (.part.extraVolumeMounts | default list) }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* Longer than a process takes to end by itself: a pod is killed after it. */}}
{{- define "capstan.grace" -}}
terminationGracePeriodSeconds: {{ add (int .Values.settings.SHUTDOWN_GRACE_SECONDS) 20 }}
{{- end }}

{{/* One process to a node and zone where there are several. */}}
{{- define "capstan.spread" -}}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        app.kubernetes.io/name: capstan
        app.kubernetes.io/instance: {{ $.Release.Name }}
        app.kubernetes.io/component: {{ $.component }}
  {{- end }}
{{- end }}

{{/* A variable from a Secret: the one that `secrets` names for it, or its own key in `secretName`. */}}
{{- define "capstan.secret" -}}
{{- $of := get .Values.secrets .variable | default dict -}}
- name: {{ .variable }}
  valueFrom: { secretKeyRef: { name: {{ $of.name | default .Values.secretName }}, key: {{ $of.key | default .variable }}{{ if and .optional (not $of) }}, optional: true{{ end }} } }
{{- end }}

{{- define "capstan.environment" -}}
{{ include "capstan.secret" (merge (dict "variable" "DATABASE_URL") .) }}
{{ include "capstan.secret" (merge (dict "variable" "DATABASE_DIRECT_URL" "optional" true) .) }}
{{ include "capstan.secret" (merge (dict "variable" "REDIS_URL" "optional" true) .) }}
{{ include "capstan.secret" (merge (dict "variable" "ENCRYPTION_KEY") .) }}
{{- $placed := list "DATABASE_URL" "DATABASE_DIRECT_URL" "REDIS_URL" "ENCRYPTION_KEY" "OPENAI_API_KEY" "OPENAI_COMPATIBLE_API_KEY" "ANTHROPIC_API_KEY" "BEDROCK_KEY" }}
{{- range $variable := keys .Values.secrets | sortAlpha }}
{{- if not (or (has $variable $placed) (hasPrefix "S3_" $variable)) }}
{{ include "capstan.secret" (merge (dict "variable" $variable) $) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Keys of model providers, for processes that call models only. */}}
{{- define "capstan.providers" -}}
{{ include "capstan.secret" (merge (dict "variable" "OPENAI_API_KEY" "optional" true) .) }}
{{ include "capstan.secret" (merge (dict "variable" "OPENAI_COMPATIBLE_API_KEY" "optional" true) .) }}
{{ include "capstan.secret" (merge (dict "variable" "ANTHROPIC_API_KEY" "optional" true) .) }}
{{ include "capstan.secret" (merge (dict "variable" "BEDROCK_KEY" "optional" true) .) }}
{{- end }}

{{/* Entries of `env`, each name once, as a server-side apply wants it: the last one wins, `extraEnv` over all. */}}
{{- define "capstan.env" -}}
{{- $entries := concat (fromYamlArray .entries) .Values.extraEnv (.part.extraEnv | default list) }}
{{- $byName := dict }}
{{- range $entries }}{{ $_ := set $byName .name . }}{{ end }}
{{- range $name := include "capstan.names" $entries | fromJsonArray }}
{{- list (get $byName $name) | toYaml | nindent 0 }}
{{- end }}
{{- end }}

{{- define "capstan.names" -}}
{{- $names := list }}
{{- range . }}{{ $names = append $names .name }}{{ end }}
{{- $names | uniq | toJson }}
{{- end }}

{{- define "capstan.settings" -}}
{{- range $name, $value := . }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end }}

{{- define "capstan.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
{{- end }}

{{/* Annotations and labels of a pod; a Prometheus that looks for annotations reads at `metricsPort`. */}}
{{- define "capstan.podMetadata" -}}
{{- $own := merge (dict) (.part.podAnnotations | default dict) .Values.podAnnotations }}
{{- $isScraped := and .metricsPort .Values.metrics.annotations }}
{{- if or $isScraped $own }}
annotations:
  {{- if $isScraped }}
  prometheus.io/scrape: 'true'
  prometheus.io/path: /metrics
  prometheus.io/port: {{ .metricsPort | quote }}
  {{- end }}
  {{- with $own }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
labels:
  {{- include "capstan.labels" . | nindent 2 }}
  app.kubernetes.io/component: {{ .component }}
  {{- with merge (dict) (.part.podLabels | default dict) .Values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
