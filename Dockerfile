# docker build -t presidio-cdip . && docker run -p 8765:8765 presidio-cdip
# docs/service.md says how to give it tokens and a key, and how to make its file system read-only.
FROM docker.io/library/python:3.13-slim AS built
COPY . /src
RUN python -m venv /opt/presidio-cdip \
    && /opt/presidio-cdip/bin/pip install --no-cache-dir "/src[image,documents,service]"

FROM docker.io/library/python:3.13-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends tesseract-ocr libgl1 libglib2.0-0 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=built /opt/presidio-cdip /opt/presidio-cdip
# Only /tmp is written to: documents that are worked on, and caches of libraries.
ENV PATH=/opt/presidio-cdip/bin:$PATH PYTHONDONTWRITEBYTECODE=1 HOME=/tmp
USER 65532:65532
WORKDIR /tmp
EXPOSE 8765
HEALTHCHECK --start-period=10s CMD ["python", "-c", \
    "from urllib.request import urlopen; urlopen('http://127.0.0.1:8765/health', timeout=5)"]
ENTRYPOINT ["presidio-cdip", "serve", "--host", "0.0.0.0", "--no-browser"]
