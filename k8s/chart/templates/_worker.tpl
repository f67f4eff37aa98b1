{{/* The Deployment of worker processes with some roles: `component`, `roles`, `part` (its values), `replicas` (absent: an autoscaler's). */}}
{{- define "capstan.worker" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: capstan-{{ .component }}
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
      {{- include "capstan.scraped" (merge (dict "metricsPort" 3001) .) | nindent 6 }}
      labels:
        {{- include "capstan.labels" . | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
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
            {{- include "capstan.environment" . | nindent 12 }}
            - name: OPENAI_API_KEY
              valueFrom: { secretKeyRef: { name: {{ .Values.secretName }}, key: OPENAI_API_KEY, optional: true } }
            {{- with (include "capstan.documents.environment" . | trim) }}{{ . | nindent 12 }}{{ end }}
            {{- include "capstan.settings" .Values.settings | nindent 12 }}
            - { name: HOST, value: 0.0.0.0 }
            - { name: WORKER_PORT, value: '3001' }
            - { name: WORKER_ROLES, value: {{ .roles | quote }} }
            {{- include "capstan.settings" .part.settings | nindent 12 }}
          ports:
            - { name: http, containerPort: 3001 }
          {{- include "capstan.probes" . | nindent 10 }}
          resources: {{- toYaml .part.resources | nindent 12 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: capstan-{{ .component }}
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
