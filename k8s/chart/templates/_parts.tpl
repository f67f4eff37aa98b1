{{- define "capstan.labels" -}}
app.kubernetes.io/name: capstan
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "capstan.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* A pod that the policy "restricted" lets in. */}}
{{- define "capstan.pod" -}}
serviceAccountName: capstan
automountServiceAccountToken: false
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
{{- end }}

{{- define "capstan.container" -}}
image: {{ include "capstan.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
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

{{- define "capstan.environment" -}}
- name: DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ .Values.secretName }}, key: DATABASE_URL } }
- name: REDIS_URL
  valueFrom: { secretKeyRef: { name: {{ .Values.secretName }}, key: REDIS_URL, optional: true } }
- name: ENCRYPTION_KEY
  valueFrom: { secretKeyRef: { name: {{ .Values.secretName }}, key: ENCRYPTION_KEY } }
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

{{/* By which a Prometheus that looks for annotations finds a pod; `metricsPort` is where it reads. */}}
{{- define "capstan.scraped" -}}
{{- if .Values.metrics.annotations -}}
annotations:
  prometheus.io/scrape: 'true'
  prometheus.io/path: /metrics
  prometheus.io/port: {{ .metricsPort | quote }}
{{- end }}
{{- end }}
