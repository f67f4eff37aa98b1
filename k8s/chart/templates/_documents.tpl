{{/* Where originals of documents are: a bucket, or a claim of many pods. A folder that only one pod sees loses them. */}}
{{- define "capstan.documents.check" -}}
{{- range $part, $settings := dict "settings" .Values.settings "api.settings" .Values.api.settings "worker.settings" .Values.worker.settings "courier.settings" .Values.courier.settings "ingest.settings" .Values.ingest.settings }}
{{- range $name, $value := $settings }}
{{- if or (eq $name "DOCUMENTS_ROOT") (hasPrefix "S3_" $name) }}
{{- fail (printf "%s.%s: pods would not share what one of them keeps; set documents.store" $part $name) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Behind the volumes of a pod, and the mounts of its container; empty where there is no claim. */}}
{{- define "capstan.documents.volume" -}}
{{- if eq .Values.documents.store "claim" }}  - { name: documents, persistentVolumeClaim: { claimName: {{ include "capstan.fullname" . }}-documents } }{{ end }}
{{- end }}
{{- define "capstan.documents.mount" -}}
{{- if eq .Values.documents.store "claim" }}  - { name: documents, mountPath: /documents }{{ end }}
{{- end }}

{{/* Of every process that reads, writes or removes them. */}}
{{- define "capstan.documents.environment" -}}
{{- include "capstan.documents.check" . -}}
{{- if eq .Values.documents.store "s3" -}}
{{- range list "S3_BUCKET" "S3_ENDPOINT" "S3_ACCESS_KEY_ID" "S3_SECRET_ACCESS_KEY" }}
{{ include "capstan.secret" (merge (dict "variable" .) $) }}
{{- end }}
{{- range list "S3_REGION" "S3_PREFIX" "S3_PATH_STYLE" }}
{{ include "capstan.secret" (merge (dict "variable" . "optional" true) $) }}
{{- end }}
{{- else if eq .Values.documents.store "claim" }}
- { name: DOCUMENTS_ROOT, value: /documents }
{{- end }}
{{- end }}
