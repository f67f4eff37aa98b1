{{/* The Deployment of worker processes with some roles: `component`, `roles`, `part` (its values), `replicas` (absent: an autoscaler's). */}}
{{- define "capstan.worker" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "capstan.fullname" . }}-{{ .component }}
  labels:
    {{- include "capstan.labels" . | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- with .replicas }}
  replicas: {{ . }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    # The new one claims what the old one releases.
    rollingUpdate: { maxUnavailable: 0, maxSurge: 25% }
  selector:
    matchLabels:
      {{- include "capstan.labels" . | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
  template:
    metadata:
      {{- include "capstan.podMetadata" (merge (dict "metricsPort" 3001) .) | trim | nindent 6 }}
    spec:
      {{- include "capstan.pod" . | nindent 6 }}
      {{- with (include "capstan.documents.volume" .) }}{{ . | nindent 6 }}{{ end }}
      {{- include "capstan.grace" . | nindent 6 }}
      {{- include "capstan.spread" . | nindent 6 }}
      containers:
        - name: worker
          {{- include "capstan.container" . | nindent 10 }}
          {{- with (include "capstan.documents.mount" .) }}{{ . | nindent 10 }}{{ end }}
          command: [node, dist/programs/worker.js]
          env:
            {{- include "capstan.env" (merge (dict "entries" (include "capstan.workerEntries" .)) .) | trim | nindent 12 }}
          ports:
            - { name: http, containerPort: 3001 }
          {{- include "capstan.probes" . | nindent 10 }}
          resources: {{- toYaml .part.resources | nindent 12 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "capstan.fullname" . }}-{{ .component }}
  labels:
    {{- include "capstan.labels" . | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "capstan.labels" . | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "capstan.workerEntries" -}}
{{ include "capstan.environment" . }}
{{ include "capstan.providers" . }}
{{ include "capstan.documents.environment" . }}
{{ include "capstan.settings" .Values.settings }}
- { name: HOST, value: 0.0.0.0 }
- { name: WORKER_PORT, value: '3001' }
- { name: WORKER_ROLES, value: {{ .roles | quote }} }
{{ include "capstan.settings" .part.settings }}
{{- end }}
