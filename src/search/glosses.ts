/**
 * English words for common words of tools in other languages, so that an English question finds a tool that is
 * described in Chinese, and the reverse. Each line: the words, then what they mean. Written from general
 * vocabulary of software and everyday services.
 */
const GLOSSES = `
搜索 搜尋 検索 查找 = search
查询 查詢 = query search
获取 獲取 取得 = get
列出 列表 一覧 = list
创建 新建 建立 作成 = create
添加 新增 追加 = add
删除 刪除 削除 = delete
更新 = update
修改 编辑 編輯 編集 変更 = edit
发送 發送 送信 = send
发布 發布 投稿 = publish post
读取 讀取 = read
写入 寫入 = write
保存 儲存 = save
移动 移動 = move
复制 複製 = copy
重命名 = rename
上传 上傳 = upload
下载 下載 = download
导出 匯出 = export
导入 匯入 = import
生成 = generate
计算 計算 = calculate
转换 轉換 変換 = convert
翻译 翻譯 翻訳 = translate
分析 = analyze
比较 比較 = compare
总结 總結 要約 = summarize
推荐 推薦 = recommend
预订 預訂 予約 = book reserve
打开 開く = open
关闭 = close
启动 啟動 起動 = start
停止 = stop
运行 执行 執行 実行 = run execute
测试 測試 = test
登录 登入 = login
注册 註冊 登録 = register
点击 點擊 = click
输入 輸入 入力 = input
滑动 = swipe
评论 評論 = comment
回复 回覆 返信 = reply
收藏 = favorite
分享 共享 共有 = share
合并 = merge
提交 = commit submit
规划 = plan
天气 天氣 天気 = weather
预报 預報 予報 = forecast
温度 溫度 = temperature
空气质量 = air quality
新闻 新聞 ニュース = news
热榜 热搜 热门 熱門 = trending hot
排行 榜单 ランキング = ranking
火车 列车 列車 = train
车票 余票 = ticket
车站 車站 駅 = station
中转 = transfer
航班 = flight
机场 機場 空港 = airport
酒店 饭店 ホテル = hotel
餐厅 餐廳 レストラン = restaurant
地址 住所 = address
坐标 座標 = coordinate
经纬度 = longitude latitude
经度 経度 = longitude
纬度 緯度 = latitude
路线 路線 路径 路徑 = route
驾车 = driving
步行 = walking
骑行 = cycling
公交 = bus transit
地铁 = subway
距离 距離 = distance
周边 附近 周辺 = nearby
地图 地圖 地図 = map
导航 = navigation
位置 地点 地點 場所 = location place
城市 都市 = city
国家 國家 = country
省份 = province
日期 = date
时间 時間 = time
日历 日曆 カレンダー = calendar
会议 會議 = meeting
文件 檔案 ファイル = file
文件夹 目录 資料夾 フォルダ = folder directory
文档 文檔 文書 ドキュメント = document
图片 圖片 图像 画像 = image
照片 写真 = photo
视频 影片 動画 = video
音频 = audio
语音 語音 音声 = voice speech
音乐 音樂 音楽 = music
图表 圖表 グラフ = chart
股票 株価 = stock
基金 = fund
价格 價格 価格 = price
汇率 匯率 為替 = exchange rate
财经 = finance
网页 網頁 = webpage page
网站 網站 = website
链接 連結 リンク = link
浏览器 瀏覽器 ブラウザ = browser
页面 頁面 ページ = page
屏幕 = screen
截图 截圖 = screenshot
关键词 關鍵字 キーワード = keyword
内容 = content
标题 標題 = title
摘要 = summary
文本 = text
语言 語言 言語 = language
信息 資訊 情報 = information
详情 详细 詳細 = detail
结果 結果 = result
历史 歷史 履歴 = history
当前 現在 = current
最新 = latest
今日 今天 = today
用户 用戶 ユーザー = user
消息 訊息 メッセージ = message
邮件 郵件 メール = email
联系人 聯絡人 連絡先 = contact
电话 電話 = phone
任务 任務 タスク = task
课题 課題 = issue
问题 問題 = issue question
项目 專案 プロジェクト = project
表格 = table spreadsheet
记录 記錄 記録 = record
字段 = field
数据 數據 データ = data
数据库 資料庫 データベース = database
代码 程式碼 コード = code
仓库 倉庫 リポジトリ = repository
分支 = branch
版本 = version
日志 ログ = log
服务器 伺服器 サーバー = server
设备 = device
订单 訂單 注文 = order
商品 = product
支付 付款 = payment
客户 客戶 顧客 = customer
部门 部門 = department
员工 = employee
成员 成員 = member
权限 權限 = permission
密码 密碼 パスワード = password
菜谱 食谱 レシピ = recipe
食材 = ingredient
做菜 烹饪 料理 = cook
八字 = bazi
农历 農曆 = lunar
公历 阳历 = solar
出生 = birth
性别 = gender
微博 = weibo
知乎 = zhihu
抖音 = douyin
哔哩哔哩 = bilibili
小红书 = xiaohongshu
百度 = baidu
微信 = wechat
必应 = bing
高德 = amap
飞书 = lark feishu
钉钉 = dingtalk
淘宝 = taobao
读书 阅读 読書 = reading book
书籍 図書 = book
小说 = novel
电影 映画 = movie
游戏 遊戲 ゲーム = game
汽车 汽車 自動車 = car
科技 = technology
体育 = sport
buscar suchen chercher rechercher искать найти поиск = search find
crear erstellen creer создать создание = create
eliminar borrar loschen supprimer удалить = delete
actualizar aktualisieren обновить = update
enviar senden envoyer отправить = send
listar auflisten lister список = list
obtener abrufen obtenir получить = get
abrir offnen ouvrir открыть = open
guardar speichern enregistrer сохранить = save
traducir ubersetzen traduire перевести = translate
archivo datei fichier файл = file
carpeta ordner dossier папка = folder
correo courriel письмо почта = email
mensaje nachricht сообщение = message
tarea aufgabe tache задача задачу = task issue
tiempo wetter meteo погода = weather
noticias nachrichten actualites новости = news
imagen bild изображение = image
usuario benutzer utilisateur пользователь = user
reunion termin rendez встреча = meeting
proyecto projekt projet проект = project
precio preis prix цена = price
ruta weg itineraire маршрут = route
mapa karte carte карта = map
`;

/** Finds English words for the words of a text in other languages. */
export interface Glossary {
  /** For a run of a script without spaces: the longest known words, from left to right. */
  inRun(run: string): readonly string[];
  ofWord(word: string): readonly string[];
}

export function createGlossary(): Glossary {
  const known = new Map<string, readonly string[]>();
  let longest = 1;
  for (const line of GLOSSES.split('\n')) {
    const [words, meaning] = line.split(' = ');
    if (words === undefined || meaning === undefined) continue;
    for (const word of words.split(' ')) {
      known.set(word, meaning.split(' '));
      longest = Math.max(longest, word.length);
    }
  }

  /** The longest known word that begins at a place. */
  function longestAt(run: string, at: number): string | undefined {
    for (let length = Math.min(longest, run.length - at); length > 0; length--) {
      const word = run.slice(at, at + length);
      if (known.has(word)) return word;
    }
    return undefined;
  }

  return {
    inRun(run) {
      const found: string[] = [];
      for (let at = 0; at < run.length;) {
        const word = longestAt(run, at);
        if (word !== undefined) found.push(...(known.get(word) ?? []));
        at += word?.length ?? 1;
      }
      return found;
    },
    ofWord: (word) => known.get(word) ?? [],
  };
}
